import { useEffect, useRef } from 'react';

/** Enough to see what a picture will be about; the browser makes it large and soft. */
const SIDE = 32;

export function BlurhashCanvas({ hash }: { hash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    // Without a network there is no preview; the picture itself says that it could not be fetched.
    import('./blurhash.ts').then(
      ({ drawBlurhash }) => canvas.current && drawBlurhash(canvas.current, hash),
      () => {},
    );
  }, [hash]);
  return <canvas ref={canvas} aria-hidden width={SIDE} height={SIDE} className="absolute inset-0 size-full" />;
}
