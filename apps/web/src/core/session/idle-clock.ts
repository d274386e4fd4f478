/** When a tab of this browser was last used, shared by all of them, by the wall clock: sleep counts. */
const usedKey = 'usedAt';
const minuteMs = 60_000;

let usedAt = 0;

function readUsedAt(): number {
  try {
    usedAt = Number(window.localStorage.getItem(usedKey) ?? usedAt);
  } catch {
    // Without storage this tab knows of itself alone.
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

/** How long ago, in milliseconds. */
export function readIdleMs(): number {
  return Date.now() - readUsedAt();
}

/** 0 minutes: never. A clock that was put back far is no reason to stay unlocked. */
export function isIdleTimeoutOver(minutes: number): boolean {
  const idle = readIdleMs();
  return minutes > 0 && (idle >= minutes * minuteMs || idle < -minuteMs);
}
