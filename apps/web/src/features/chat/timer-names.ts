/** Timers for disappearing messages, in seconds. */
export const timers = { off: 0, hour: 3600, day: 86_400, week: 604_800, month: 2_419_200 } as const;

export type TimerName = keyof typeof timers;

/** The longest choice that does not exceed `seconds`: another client may have set any value. */
export function timerName(seconds: number): TimerName {
  const names = (Object.keys(timers) as TimerName[]).filter((name) => name !== 'off' && timers[name] <= seconds);
  return names.at(-1) ?? 'hour';
}
