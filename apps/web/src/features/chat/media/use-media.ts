import type { FileReference } from '@dostar/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useMessenger } from '../../../core/messenger/messenger.ts';
import { fetchMedia, findMedia, type CachedMedia } from './media-files.ts';
import type { Transfer } from './transfer.ts';

/** One file of a message, fetched at once if `isWanted`, otherwise on request. */
export function useMedia(file: FileReference | undefined, { isWanted }: { isWanted: boolean }) {
  const client = useMessenger();
  const blob = file?.blob;
  const [fetched, setFetched] = useState<{ blob: string; media: CachedMedia }>();
  const [transfer, setTransfer] = useState<Transfer>({ state: 'away' });
  const stop = useRef<AbortController>(undefined);
  const known = fetched?.blob === blob ? fetched?.media : blob === undefined ? undefined : findMedia(blob);
  const isHere = known !== undefined;
  const isTooLarge = known?.isTooLarge ?? false;

  /** Returns the object URL, or undefined if the download failed. */
  const fetch = useCallback(async (): Promise<string | undefined> => {
    if (client === undefined || file === undefined) return undefined;
    const mine = new AbortController();
    stop.current?.abort();
    stop.current = mine;
    const onProgress = (progress: number): void => setTransfer({ state: 'moving', progress });
    onProgress(0);
    try {
      const media = await fetchMedia(client, file, { signal: mine.signal, onProgress });
      setFetched({ blob: file.blob, media });
      setTransfer({ state: 'here' });
      return media.url;
    } catch {
      setTransfer({ state: mine.signal.aborted ? 'away' : 'failed' });
      return undefined;
    }
  }, [client, file]);

  useEffect(() => {
    if (!isWanted || isHere) return;
    // Debounced, so that files which only scroll past are not fetched.
    const timer = setTimeout(() => void fetch(), 80);
    return () => clearTimeout(timer);
  }, [isWanted, isHere, fetch]);

  useEffect(() => () => stop.current?.abort(), []);

  return {
    /** Undefined for a picture that is too large to decode. */
    url: isTooLarge ? undefined : known?.url,
    isTooLarge,
    transfer: isHere ? ({ state: 'here' } satisfies Transfer) : transfer,
    fetch: () => void fetch(),
    fetchNow: fetch,
    cancel: () => stop.current?.abort(),
  };
}
