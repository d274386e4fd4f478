/** The device has a touchscreen, and probably an on-screen keyboard that would cover half of it. */
export const isTouch = typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;
