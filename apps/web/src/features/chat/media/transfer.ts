/** State of an upload or a download. */
export type Transfer =
  | { state: 'away' }
  /** 0 to 1. */
  | { state: 'moving'; progress: number }
  | { state: 'here' }
  | { state: 'failed' };
