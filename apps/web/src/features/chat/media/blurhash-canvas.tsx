import { decode, isBlurhashValid } from 'blurhash';
import { useEffect, useRef } from 'react';

/** Enough to see what a picture will be about; the browser makes it large and soft. */
const SIDE = 32;

export function BlurhashCanvas({ hash }: { hash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    // It comes from somebody else's device: a broken one costs the preview and nothing more.
    if (!context || !isBlurhashValid(hash).result) return;
    context.putImageData(new ImageData(new Uint8ClampedArray(decode(hash, SIDE, SIDE)), SIDE, SIDE), 0, 0);
  }, [hash]);
  return <canvas ref={canvas} aria-hidden width={SIDE} height={SIDE} className="absolute inset-0 size-full" />;
}
