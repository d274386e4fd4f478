import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatLength } from '../../../core/messenger/preview-message.ts';
import { TransferRing } from './transfer-ring.tsx';
import type { Transfer } from './transfer.ts';
import { WaveBars } from './wave-bars.tsx';

const speeds = [1, 1.5, 2] as const;

/** Announces each start, so that only one voice message plays at a time. */
const started = new EventTarget();

interface VoicePlayerProps {
  durationMs: number;
  waveform: readonly number[];
  url?: string | undefined;
  transfer: Transfer;
  /** Requests the file; `url` is set when it is loaded. */
  onFetch: () => void;
  onCancel: () => void;
}

export function VoicePlayer({ durationMs, waveform, url, transfer, onFetch, onCancel }: VoicePlayerProps) {
  const { t } = useTranslation('chat');
  const audio = useRef<HTMLAudioElement>(null);
  const [isWanted, setIsWanted] = useState(false);
  const [isPlaying, setIsPlaying] = useState(false);
  const [heardMs, setHeardMs] = useState(0);
  const [speed, setSpeed] = useState<(typeof speeds)[number]>(1);

  useEffect(() => {
    function handleOther(event: Event): void {
      if (event instanceof CustomEvent && event.detail !== audio.current) audio.current?.pause();
    }
    started.addEventListener('start', handleOther);
    return () => started.removeEventListener('start', handleOther);
  }, []);

  function handlePress(): void {
    if (isPlaying) {
      audio.current?.pause();
      return;
    }
    setIsWanted(true);
    if (url === undefined) onFetch();
    else void audio.current?.play();
  }

  function handlePlay(): void {
    setIsPlaying(true);
    // The user may have chosen the speed before the file was loaded.
    if (audio.current) audio.current.playbackRate = speed;
    started.dispatchEvent(new CustomEvent('start', { detail: audio.current }));
  }

  function handleSpeed(): void {
    const next = speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? 1;
    setSpeed(next);
    if (audio.current) audio.current.playbackRate = next;
  }

  function handleSeek(share: number): void {
    setHeardMs(share * durationMs);
    if (audio.current) audio.current.currentTime = (share * durationMs) / 1000;
  }

  const progress = durationMs > 0 ? Math.min(1, heardMs / durationMs) : 0;
  return (
    <div className="flex w-68 max-w-full items-center gap-3">
      {transfer.state === 'moving' ? (
        <TransferRing progress={transfer.progress} onCancel={onCancel} />
      ) : (
        <button
          type="button"
          aria-label={isPlaying ? t('media.pause') : t('media.play')}
          onClick={handlePress}
          className="flex size-11 shrink-0 items-center justify-center rounded-round bg-accent text-on-accent"
        >
          {isPlaying ? (
            <Pause aria-hidden className="size-5 fill-current" />
          ) : (
            <Play aria-hidden className="size-5 translate-x-px fill-current" />
          )}
        </button>
      )}
      <div className="min-w-0 grow">
        <div className="relative">
          <WaveBars bars={waveform} progress={progress} />
          <input
            type="range"
            aria-label={t('media.seek')}
            min={0}
            max={1000}
            value={Math.round(progress * 1000)}
            onChange={(event) => handleSeek(Number(event.target.value) / 1000)}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
        </div>
        <p className="figures flex items-center gap-1.5 text-small opacity-80">
          {heardMs > 0 && `${formatLength(heardMs)} / `}
          {formatLength(durationMs)}
          <button
            type="button"
            aria-label={t('media.speed', { speed })}
            onClick={handleSpeed}
            className="rounded-chip px-1.5 py-0.5 font-semibold hover:bg-current/10"
          >
            {speed}×
          </button>
        </p>
      </div>
      {url !== undefined && (
        // Voice messages have no captions.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio
          ref={audio}
          src={url}
          autoPlay={isWanted}
          onPlay={handlePlay}
          onPause={() => setIsPlaying(false)}
          onEnded={() => setHeardMs(0)}
          onTimeUpdate={(event) => setHeardMs(event.currentTarget.currentTime * 1000)}
        />
      )}
    </div>
  );
}
