/** A push as the contract has it (`PushPayload`), read without the libraries that check it in pages. */
export type Push =
  | { kind: 'message'; id: string; n: number; at: number }
  | { kind: 'test' }
  /** The operator's own words. */
  | { kind: 'announcement'; id: string; text: string }
  /** Of another version: it still says that there is something new. Browsers punish those that show nothing. */
  | { kind: 'unknown' };

export function readPush(words: string | undefined): Push {
  const unknown: Push = { kind: 'unknown' };
  try {
    const { data, v, kind, id, n, at, text } = JSON.parse(words ?? '') as Record<string, unknown>;
    // Firebase wraps it.
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
