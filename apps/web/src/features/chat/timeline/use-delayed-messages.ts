import type { Message } from '@dostar/client';
import { useEffect, useMemo, useState } from 'react';
import { useNow } from '../../../core/lib/use-now.ts';

/** Decryption takes a moment. The delay avoids a flash of "waiting for this message". */
const DELAY_MS = 1500;
/** Older messages are shown as waiting at once: their decryption is not about to finish. */
const JUST_MS = 60_000;

/**
 * Hides recent messages for a moment until they are decrypted. Most then show their text; a reaction never gets a row
 * of its own.
 */
export function useDelayedMessages(messages: readonly Message[] | undefined): readonly Message[] | undefined {
  const now = useNow();
  const [late, setLate] = useState<ReadonlySet<string>>(() => new Set());
  const unsettled = (messages ?? [])
    .filter(({ shows, at }) => shows.state === 'waiting' && now - at < JUST_MS)
    .map(({ id }) => id)
    .join();

  useEffect(() => {
    if (unsettled === '') return;
    const timer = setTimeout(() => setLate(new Set(unsettled.split(','))), DELAY_MS);
    return () => clearTimeout(timer);
  }, [unsettled]);

  return useMemo(() => {
    const hidden = new Set(unsettled.split(',').filter((id) => id !== '' && !late.has(id)));
    return hidden.size === 0 ? messages : messages?.filter(({ id }) => !hidden.has(id));
  }, [messages, unsettled, late]);
}
