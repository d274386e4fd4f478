import type { Message } from '@dostar/client';
import { useEffect, useMemo, useState } from 'react';
import { useNow } from '../../../core/lib/use-now.ts';

/** Opening takes a moment; a line that says "waiting" and is gone again would only frighten. */
const DELAY_MS = 1500;
/** What came longer ago is not just being opened. */
const JUST_MS = 60_000;

/**
 * The messages without those that have just come and are not opened yet. Most turn out to be words a moment later; a
 * reaction never had a place of its own.
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
