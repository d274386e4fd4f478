/** Where Option types characters and Command is what Control is elsewhere; iPads with a keyboard too. */
export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
