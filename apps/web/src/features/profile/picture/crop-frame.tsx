import { RotateCcwSquare, RotateCwSquare } from 'lucide-react';
import { type PointerEvent, useEffect, useRef } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { cx } from '../../../ui/cx.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { clampView, maxZoom, pushView, type Size, turnView, type View } from './crop.ts';
import { drawCrop } from './draw-crop.ts';
import { Slider } from './slider.tsx';

interface CropFrameProps {
  picture: ImageBitmap;
  frame: Size;
  isRound: boolean;
  view: View;
  onChange: (view: View) => void;
}

/** Crop preview that the user drags; every gesture also has a control for users who cannot drag. */
export function CropFrame({ picture, frame, isRound, view, onChange }: CropFrameProps) {
  const { t } = useTranslation('profile');
  const canvas = useRef<HTMLCanvasElement>(null);
  const small = useRef<HTMLCanvasElement>(null);
  const from = useRef<{ x: number; y: number }>(undefined);

  useEffect(() => {
    for (const one of [canvas.current, small.current]) if (one) drawCrop(one, picture, view, frame);
  }, [picture, view, frame]);

  function handleMove(event: PointerEvent<HTMLCanvasElement>): void {
    const start = from.current;
    if (start === undefined) return;
    const shown = frame.width / event.currentTarget.clientWidth;
    const by = { x: (event.clientX - start.x) * shown, y: (event.clientY - start.y) * shown };
    from.current = { x: event.clientX, y: event.clientY };
    onChange(pushView(picture, frame, view, by));
  }

  function handleDown(event: PointerEvent<HTMLCanvasElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, y: event.clientY };
  }

  function handleUp(): void {
    from.current = undefined;
  }

  const set = (changes: Partial<View>): void => onChange(clampView(picture, frame, { ...view, ...changes }));
  return (
    <div>
      <div className="flex items-end justify-center gap-4">
        <canvas
          ref={canvas}
          width={frame.width}
          height={frame.height}
          role="img"
          aria-label={t('picture.preview')}
          onPointerDown={handleDown}
          onPointerMove={handleMove}
          onPointerUp={handleUp}
          onPointerCancel={handleUp}
          className={cx(
            'cursor-move touch-none bg-surface-2',
            isRound ? 'w-56 min-w-0 rounded-round' : 'w-full rounded-field',
          )}
        />
        {isRound && <canvas ref={small} width={104} height={104} aria-hidden className="w-13 shrink-0 rounded-round" />}
      </div>
      <div className="mt-4">
        <Slider label={t('picture.zoom')} min={1} max={maxZoom} value={view.zoom} onChange={(zoom) => set({ zoom })} />
        <Slider label={t('picture.across')} min={0} max={1} value={view.x} onChange={(x) => set({ x })} />
        <Slider label={t('picture.up')} min={0} max={1} value={view.y} onChange={(y) => set({ y })} />
        <div className="flex justify-center gap-2">
          <IconButton
            label={t('picture.left')}
            icon={<RotateCcwSquare aria-hidden className="size-5" />}
            onClick={() => onChange(turnView(picture, frame, view, -1))}
          />
          <IconButton
            label={t('picture.right')}
            icon={<RotateCwSquare aria-hidden className="size-5" />}
            onClick={() => onChange(turnView(picture, frame, view, 1))}
          />
        </div>
      </div>
    </div>
  );
}
