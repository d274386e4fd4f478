import type { ChatId } from '@dostar/protocol/ids';

/** The client asks the backup at once, then at growing intervals: another device may still be uploading the key. */
const RETRY_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 300_000] as const;

/** Reached some eight seconds after the first request. */
const STUCK_AFTER = 5;

interface MissingKey {
  chat: ChatId;
  session: string;
  /** The earliest index in the session that a waiting message needs. */
  index: number;
  /** The message is not visible: its key is requested only if the whole backup does not contain it. */
  canWait: boolean;
  tries: number;
  notBefore: number;
}

/** Keys that messages wait for and the engine does not have. */
export interface MissingKeys {
  add(request: Pick<MissingKey, 'chat' | 'session' | 'index' | 'canWait'>): void;
  /**
   * The keys to request next, newest first, as the screen shows the newest messages. All once the backup was restored.
   */
  take(now: number, isRestored: boolean, most: number): { chat: ChatId; session: string }[];
  drop(session: string): void;
  /** A message at this index of the session was decrypted, so the key covers that index and all later ones. */
  noteDecrypted(session: string, index: number): void;
  /** Requests all keys again at once. */
  retryAllNow(): void;
  /** When the next request is due. */
  dueAt(isRestored: boolean): number;
  count(): number;
  /** Whether some key was never requested. */
  isNew(): boolean;
  /** Whether some key was requested often in vain: no other device backs it up. */
  isStuck(): boolean;
}

export function createMissingKeys(): MissingKeys {
  const missing = new Map<string, MissingKey>();
  const list = (isRestored: boolean) => [...missing.values()].filter(({ canWait }) => isRestored || !canWait);
  return {
    add({ chat, session, index, canWait }) {
      const missingKey = missing.get(session);
      if (missingKey === undefined) {
        missing.set(session, { chat, session, index, canWait, tries: 0, notBefore: 0 });
        return;
      }
      missingKey.index = Math.min(missingKey.index, index);
      if (canWait || !missingKey.canWait) return;
      // Moves to the newest place, as if it were new.
      missing.delete(session);
      missing.set(session, { ...missingKey, canWait });
    },
    take(now, isRestored, most) {
      const due = list(isRestored).filter(({ notBefore }) => notBefore <= now);
      return due.slice(-most).map((missingKey) => {
        missingKey.tries += 1;
        missingKey.notBefore = now + (RETRY_MS[Math.min(missingKey.tries, RETRY_MS.length - 1)] ?? 0);
        return { chat: missingKey.chat, session: missingKey.session };
      });
    },
    drop: (session) => void missing.delete(session),
    noteDecrypted(session, index) {
      if (index <= (missing.get(session)?.index ?? -1)) missing.delete(session);
    },
    retryAllNow() {
      for (const missingKey of missing.values()) Object.assign(missingKey, { tries: 0, notBefore: 0 });
    },
    dueAt: (isRestored) => Math.min(Infinity, ...list(isRestored).map(({ notBefore }) => notBefore)),
    count: () => missing.size,
    isNew: () => [...missing.values()].some(({ tries }) => tries === 0),
    isStuck: () => [...missing.values()].some(({ tries }) => tries >= STUCK_AFTER),
  };
}
