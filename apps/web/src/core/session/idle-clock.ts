/** When a tab of this browser was last used: shared by all tabs, and by the wall clock, so that sleep counts. */
const usedKey = 'usedAt';
const minuteMs = 60_000;

let usedAt = 0;

function readUsedAt(): number {
  try {
    usedAt = Number(window.localStorage.getItem(usedKey) ?? usedAt);
  } catch {
    // Without storage this tab knows only its own activity.
  }
  return usedAt;
}

export function recordActivity(): void {
  usedAt = Date.now();
  try {
    window.localStorage.setItem(usedKey, String(usedAt));
  } catch {
    // See readUsedAt.
  }
}

/** The idle time in milliseconds. */
export function readIdleMs(): number {
  return Date.now() - readUsedAt();
}

/** 0 minutes: never. If the clock was set far back, the idle time is unknown, and the app locks. */
export function isIdleTimeoutOver(minutes: number): boolean {
  const idle = readIdleMs();
  return minutes > 0 && (idle >= minutes * minuteMs || idle < -minuteMs);
}
