/** A push in the contract's format (`PushPayload`), parsed without the libraries that pages use. */
export type Push =
  | { kind: 'message'; id: string; n: number; at: number }
  | { kind: 'test' }
  /** A text of the operator. */
  | { kind: 'announcement'; id: string; text: string }
  /** Of another version. It still shows a notification, because browsers punish workers that show none. */
  | { kind: 'unknown' };

export function readPush(words: string | undefined): Push {
  const unknown: Push = { kind: 'unknown' };
  try {
    const { data, v, kind, id, n, at, text } = JSON.parse(words ?? '') as Record<string, unknown>;
    // Firebase wraps the push.
    const wrapped = (data as { push?: unknown } | undefined)?.push;
    if (typeof wrapped === 'string') return readPush(wrapped);
    if (v !== 1 || typeof id !== 'string') return unknown;
    if (kind === 'test') return { kind };
    if (kind === 'announcement' && typeof text === 'string') return { kind, id, text };
    if (kind === 'message' && typeof n === 'number' && typeof at === 'number') return { kind, id, n, at };
    return unknown;
  } catch {
    return unknown;
  }
}
