/** A Mac, or an iPad with a keyboard: Option types characters, and Command replaces Control. */
export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
