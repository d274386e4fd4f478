import type { FileReference } from '@dostar/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useMessenger } from '../../../core/messenger.ts';
import { fetchMedia, findMedia } from './media-files.ts';
import type { Transfer } from './transfer.ts';

/** One file of a message: fetched at once where it is wanted, else when asked for. */
export function useMedia(file: FileReference | undefined, { isWanted }: { isWanted: boolean }) {
  const client = useMessenger();
  const blob = file?.blob;
  const [fetched, setFetched] = useState<{ blob: string; url: string }>();
  const [transfer, setTransfer] = useState<Transfer>({ state: 'away' });
  const stop = useRef<AbortController>(undefined);
  const url = fetched?.blob === blob ? fetched?.url : blob && findMedia(blob);

  /** The address once it is here; undefined where it did not come. */
  const fetch = useCallback(async (): Promise<string | undefined> => {
    if (client === undefined || file === undefined) return undefined;
    const mine = new AbortController();
    stop.current?.abort();
    stop.current = mine;
    const onProgress = (progress: number): void => setTransfer({ state: 'moving', progress });
    onProgress(0);
    try {
      const address = await fetchMedia(client, file, { signal: mine.signal, onProgress });
      setFetched({ blob: file.blob, url: address });
      setTransfer({ state: 'here' });
      return address;
    } catch {
      setTransfer({ state: mine.signal.aborted ? 'away' : 'failed' });
      return undefined;
    }
  }, [client, file]);

  useEffect(() => {
    if (!isWanted || url !== undefined) return;
    // After the list has come to rest: what flies by is not fetched.
    const timer = setTimeout(() => void fetch(), 80);
    return () => clearTimeout(timer);
  }, [isWanted, url, fetch]);

  useEffect(() => () => stop.current?.abort(), []);

  return {
    url,
    transfer: url === undefined ? transfer : ({ state: 'here' } satisfies Transfer),
    fetch: () => void fetch(),
    fetchNow: fetch,
    cancel: () => stop.current?.abort(),
  };
}
