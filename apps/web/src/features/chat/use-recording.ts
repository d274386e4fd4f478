/** A voice message that is being recorded in one chat. Leaving the chat releases the microphone. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Recording } from './media/record-voice.ts';

interface RecordingOptions {
  /** No recording for a contact who can't receive messages. */
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
      // A second press while the browser still asks would leave the first one's microphone open.
      if (isStarting.current) return;
      isStarting.current = true;
      try {
        const { recordVoice } = await import('./media/record-voice.ts');
        const begun = await recordVoice();
        // The user answered the browser's question after leaving the chat.
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
