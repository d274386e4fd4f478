/** A finger, and most often a keyboard on the screen that would cover half of it. */
export const isTouch = typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;
