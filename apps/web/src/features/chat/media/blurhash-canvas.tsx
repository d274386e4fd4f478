import { useEffect, useRef } from 'react';

/** Small on purpose: the browser scales it up with smoothing. */
const SIDE = 32;

export function BlurhashCanvas({ hash }: { hash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    // Offline there is no preview; the picture itself shows the failure.
    import('./blurhash.ts').then(
      ({ drawBlurhash }) => canvas.current && drawBlurhash(canvas.current, hash),
      () => {},
    );
  }, [hash]);
  return <canvas ref={canvas} aria-hidden width={SIDE} height={SIDE} className="absolute inset-0 size-full" />;
}
