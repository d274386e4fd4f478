const HOUR_MS = 3_600_000;

/** The end of a permanent mute: the last moment of a `Date`. */
export const FOREVER = 8_640_000_000_000_000;

export const muteTimes = { hour: HOUR_MS, hours8: 8 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const;
