import { useEffect, useState } from 'react';
import { inspectVideo } from './video-tasks.ts';
import type { VideoInfo } from './inspect-video.ts';
import { isVideoFile } from './is-video-file.ts';

export type VideoCheck = 'checking' | 'uncleanable' | VideoInfo;

/** Checks the videos among the files one after the other. Other files have no entry. */
export function useVideoChecks(files: readonly File[]): ReadonlyMap<File, VideoCheck> {
  const [checks, setChecks] = useState<ReadonlyMap<File, VideoCheck>>(
    () => new Map(files.filter(isVideoFile).map((file) => [file, 'checking'])),
  );
  useEffect(() => {
    const left = new AbortController();
    const check = async () => {
      for (const file of files.filter(isVideoFile)) {
        const found = await inspectVideo(file, left).catch(() => 'uncleanable' as const);
        if (left.signal.aborted) return;
        setChecks((before) => new Map(before).set(file, found));
      }
    };
    void check();
    return () => left.abort();
  }, [files]);
  return checks;
}
