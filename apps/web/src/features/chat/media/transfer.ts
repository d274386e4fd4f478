/** Where a file is on its way, in either direction. */
export type Transfer =
  | { state: 'away' }
  /** 0 to 1. */
  | { state: 'moving'; progress: number }
  | { state: 'here' }
  | { state: 'failed' };
