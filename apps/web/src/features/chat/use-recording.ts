/** Recording of a voice message in one chat. Leaving the chat releases the microphone. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Recording } from './media/record-voice.ts';

interface RecordingOptions {
  /** False for a contact who cannot receive messages: recording stops. */
  isOpen: boolean;
  onRefused: () => void;
}

export function useRecording({ isOpen, onRefused }: RecordingOptions) {
  const [recording, setRecording] = useState<Recording>();
  const kept = useRef<Recording>(undefined);
  const isStarting = useRef(false);
  const isWanted = useRef(isOpen);

  const keep = useCallback((next: Recording | undefined) => {
    kept.current = next;
    setRecording(next);
  }, []);

  useEffect(() => {
    isWanted.current = isOpen;
    return () => {
      isWanted.current = false;
      kept.current?.cancel();
      keep(undefined);
    };
  }, [isOpen, keep]);

  return {
    recording,
    async start(): Promise<void> {
      // A second press while the permission prompt is open would start a second recording and leak the first.
      if (isStarting.current) return;
      isStarting.current = true;
      try {
        const { recordVoice } = await import('./media/record-voice.ts');
        const begun = await recordVoice();
        // The user may answer the permission prompt after leaving the chat.
        if (isWanted.current) keep(begun);
        else begun.cancel();
      } catch {
        if (isWanted.current) onRefused();
      } finally {
        isStarting.current = false;
      }
    },
    end: () => keep(undefined),
  };
}
