import { Dialog } from '@base-ui/react/dialog';
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { ProgressRing } from '../../../ui/progress-ring.tsx';
import { useZoom } from './use-zoom.ts';

interface LightboxPicture {
  id: string;
  name: string;
  caption?: string | undefined;
  isVideo: boolean;
  /** Undefined until loaded. */
  url?: string | undefined;
  /** The picture is too large to decode: it can only be saved. */
  isTooLarge: boolean;
}

interface LightboxProps {
  picture: LightboxPicture;
  /** Download progress, 0 to 1; undefined when no download runs. */
  progress?: number | undefined;
  hasPrevious: boolean;
  hasNext: boolean;
  onStep: (step: -1 | 1) => void;
  onSave: () => void;
  onClose: () => void;
}

const button =
  'pointer-events-auto inline-flex size-11 items-center justify-center rounded-round bg-scrim text-on-scrim hover:bg-scrim/70';

/** Full-screen viewer of a picture or a video. */
export function Lightbox({ picture, progress, hasPrevious, hasNext, onStep, onSave, onClose }: LightboxProps) {
  const { t } = useTranslation('chat');
  const frame = useRef<HTMLDivElement>(null);
  const { view, reset, toggle, handlers } = useZoom(frame, (step) => {
    if (step < 0 ? hasPrevious : hasNext) onStep(step);
  });
  // Resets the zoom for the next picture.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(reset, [picture.id]);

  function handleKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowLeft' && hasPrevious) onStep(-1);
    if (event.key === 'ArrowRight' && hasNext) onStep(1);
  }

  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black-out" />
        <Dialog.Popup onKeyDown={handleKeyDown} className="fixed inset-0 z-50 flex flex-col outline-none">
          <Dialog.Title className="sr-only">{picture.caption ?? picture.name}</Dialog.Title>
          <div
            ref={frame}
            {...handlers}
            onDoubleClick={toggle}
            className="flex min-h-0 grow touch-none items-center justify-center overflow-hidden"
          >
            {picture.isTooLarge && <p className="px-6 text-center text-on-scrim">{t('media.tooLarge')}</p>}
            {picture.url === undefined && !picture.isTooLarge && <Coming progress={progress} />}
            {picture.url !== undefined && !picture.isVideo && (
              <img
                src={picture.url}
                alt={picture.caption ?? picture.name}
                draggable={false}
                className="max-h-full max-w-full select-none"
                style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
              />
            )}
            {picture.url !== undefined && picture.isVideo && (
              // Videos of users have no captions.
              // oxlint-disable-next-line jsx-a11y/media-has-caption
              <video src={picture.url} controls autoPlay playsInline className="max-h-full max-w-full" />
            )}
          </div>
          {picture.caption !== undefined && (
            <p dir="auto" className="bg-scrim px-6 py-3 text-center text-on-scrim">
              {picture.caption}
            </p>
          )}
          <div className="pointer-events-none absolute inset-x-3 top-3 flex justify-end gap-2 pt-[env(safe-area-inset-top)]">
            <button
              type="button"
              aria-label={t('media.save', { name: picture.name })}
              onClick={onSave}
              className={button}
            >
              <Download aria-hidden className="size-5" />
            </button>
            <Dialog.Close aria-label={t('media.close')} className={button}>
              <X aria-hidden className="size-5" />
            </Dialog.Close>
          </div>
          <div className="pointer-events-none absolute inset-x-3 top-1/2 flex -translate-y-1/2 justify-between">
            <span>
              {hasPrevious && (
                <button type="button" aria-label={t('media.previous')} onClick={() => onStep(-1)} className={button}>
                  <ChevronLeft aria-hidden />
                </button>
              )}
            </span>
            {hasNext && (
              <button type="button" aria-label={t('media.next')} onClick={() => onStep(1)} className={button}>
                <ChevronRight aria-hidden />
              </button>
            )}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Coming({ progress }: { progress: number | undefined }) {
  return (
    <span className="flex flex-col items-center gap-3 text-on-scrim">
      <ProgressRing />
      {progress !== undefined && <span className="figures text-small">{Math.round(progress * 100)} %</span>}
    </span>
  );
}
