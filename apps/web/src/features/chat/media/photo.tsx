import { Play, RotateCw } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatLength } from '../../../core/messenger/preview-message.ts';
import { cx } from '../../../ui/cx.ts';
import { BlurhashCanvas } from './blurhash-canvas.tsx';
import type { Size } from './fit-box.ts';
import { TransferRing } from './transfer-ring.tsx';
import type { Transfer } from './transfer.ts';

interface PhotoProps {
  alt: string;
  /** Undefined: fills its container. */
  box?: Size | undefined;
  blurhash?: string | undefined;
  /** Object URL; undefined until the picture is loaded. */
  url?: string | undefined;
  /** Length of a video, 0 if unknown; undefined for a photo. */
  videoMs?: number | undefined;
  transfer: Transfer;
  onOpen: () => void;
  onCancel: () => void;
  onRetry: () => void;
}

/** A photo or the poster of a video. Its size is known before it loads, and the blurhash shows a preview. */
export function Photo({ alt, box, blurhash, url, videoMs, transfer, onOpen, onCancel, onRetry }: PhotoProps) {
  const { t } = useTranslation('chat');
  return (
    <div
      className={cx('relative overflow-hidden bg-surface-3', box ? 'max-w-full rounded-[13px]' : 'size-full')}
      style={box && { width: box.width, aspectRatio: `${box.width} / ${box.height}` }}
    >
      {blurhash !== undefined && <BlurhashCanvas hash={blurhash} />}
      <button
        type="button"
        aria-label={alt}
        onClick={onOpen}
        className="absolute inset-0 block size-full cursor-zoom-in focus-visible:outline-offset-[-3px]"
      >
        {url !== undefined && <img src={url} alt="" className="size-full object-cover" />}
        {videoMs !== undefined && transfer.state !== 'moving' && (
          <span className="absolute inset-0 m-auto flex size-14 items-center justify-center rounded-round bg-scrim text-on-scrim">
            <Play aria-hidden className="size-7 translate-x-0.5 fill-current" />
          </span>
        )}
        {videoMs !== undefined && videoMs > 0 && (
          <span className="figures absolute top-2 left-2 rounded-round bg-scrim px-2 py-0.5 text-meta text-on-scrim">
            {formatLength(videoMs)}
          </span>
        )}
      </button>
      {transfer.state === 'moving' && (
        <span className="absolute inset-0 m-auto size-11">
          <TransferRing progress={transfer.progress} onCancel={onCancel} />
        </span>
      )}
      {transfer.state === 'failed' && (
        <button
          type="button"
          onClick={onRetry}
          className="absolute inset-0 m-auto flex h-11 w-fit items-center gap-2 rounded-round bg-scrim px-4 text-small text-on-scrim"
        >
          <RotateCw aria-hidden className="size-4" />
          {t('media.retry')}
        </button>
      )}
    </div>
  );
}
