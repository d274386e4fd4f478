/** What is sent to a device, and what a push service's answer means. */
export interface Push {
  /** JSON, which the browser alone can read. */
  body: string;
  /** For a device that is off, the push service keeps only the newest push of a topic. */
  topic?: string;
  urgency: 'normal' | 'high';
  ttlSeconds: number;
}

/**
 * `gone`: the subscription no longer exists. `later`: try again after the wait that the push service asks for, if any.
 * `refused`: it does not accept this request.
 */
export type PushOutcome = { kind: 'sent' | 'gone' | 'refused' } | { kind: 'later'; afterMs: number | undefined };

export function judgePush(status: number, retryAfter: string | null | undefined, now: number): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (status === 429 || status >= 500) return { kind: 'later', afterMs: readWait(retryAfter, now) };
  return { kind: 'refused' };
}

/** Whether the push service answered and did not accept the push, for a reason other than a subscription that is gone. */
export function isRefusal({ kind }: PushOutcome): boolean {
  return kind === 'refused' || kind === 'later';
}

/** Seconds, or a date. */
function readWait(header: string | null | undefined, now: number): number | undefined {
  if (header === undefined || header === null) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) && wait > 0 ? wait : undefined;
}
