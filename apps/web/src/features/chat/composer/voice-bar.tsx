import { SendHorizontal, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatLength } from '../../../core/messenger/preview-message.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { Recording, VoiceNote } from '../media/record-voice.ts';
import { WaveBars } from '../media/wave-bars.tsx';
import { LOUDEST } from '../media/waveform.ts';

interface VoiceBarProps {
  recording: Recording;
  onSend: (note: VoiceNote) => void;
  onCancel: () => void;
}

const SHOWN_BARS = 48;
const DRAW_EVERY_MS = 80;
/** Makes ordinary speech near a microphone reach the full height of the bars. */
const GAIN = 4;
/** A shorter recording was pressed by accident and is discarded. */
const SHORTEST_SECONDS = 0.7;
const SLIDE_PX = 120;

/** Replaces the field during a recording. A swipe to the left or the bin discards it. */
export function VoiceBar({ recording, onSend, onCancel }: VoiceBarProps) {
  const { t } = useTranslation('chat');
  const [bars, setBars] = useState<number[]>([]);
  const [ms, setMs] = useState(0);
  const slideFrom = useRef<number>(undefined);
  /** Set once sent or discarded: a second press while the recorder stops would send the recording twice. */
  const isOver = useRef(false);

  useEffect(() => {
    const timer = setInterval(() => {
      setMs(recording.readDuration() * 1000);
      const level = Math.min(LOUDEST, Math.round(recording.readLevel() * GAIN * LOUDEST));
      setBars((before) => [...before, level].slice(-SHOWN_BARS));
    }, DRAW_EVERY_MS);
    return () => clearInterval(timer);
  }, [recording]);

  function handleCancel(): void {
    if (isOver.current) return;
    isOver.current = true;
    recording.cancel();
    onCancel();
  }

  async function handleSend(): Promise<void> {
    if (recording.readDuration() < SHORTEST_SECONDS) return handleCancel();
    if (isOver.current) return;
    isOver.current = true;
    onSend(await recording.finish());
  }

  return (
    <div
      role="group"
      aria-label={t('composer.recording')}
      onPointerDown={(event) => {
        slideFrom.current = event.clientX;
      }}
      onPointerMove={(event) => {
        if (slideFrom.current !== undefined && slideFrom.current - event.clientX > SLIDE_PX) handleCancel();
      }}
      onPointerUp={() => {
        slideFrom.current = undefined;
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') handleCancel();
      }}
      className="flex touch-none items-center gap-2 px-2 pt-1 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-4"
    >
      <div className="flex min-h-11.5 min-w-0 grow items-center gap-3 rounded-card bg-surface px-2 shadow-card">
        <IconButton
          label={t('composer.discard')}
          icon={<Trash2 aria-hidden className="size-5.5 text-danger" />}
          onClick={handleCancel}
        />
        <span aria-hidden className="size-2.5 shrink-0 animate-shimmer rounded-round bg-danger" />
        <span role="timer" className="figures shrink-0">
          {formatLength(ms)}
        </span>
        <div className="min-w-0 grow">
          <WaveBars bars={[...Array.from({ length: SHOWN_BARS - bars.length }, () => 0), ...bars]} progress={1} />
        </div>
        <span className="hidden shrink-0 text-small text-muted sm:inline">{t('composer.slide')}</span>
      </div>
      <button
        type="button"
        // Sending is the next action for keyboard users.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-label={t('composer.send')}
        title={t('composer.send')}
        onClick={() => void handleSend()}
        className="inline-flex size-11.5 shrink-0 items-center justify-center rounded-round bg-accent text-on-accent shadow-card hover:bg-accent-strong"
      >
        <SendHorizontal aria-hidden className="size-5.5" />
      </button>
    </div>
  );
}
