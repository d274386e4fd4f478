import { type PointerEvent, useRef, useState } from 'react';

const TRIGGER_PX = 56;
const MAX_PX = 80;
const DECIDED_PX = 8;

/** Swiping right on a touch screen replies to a message. The first movement decides between swiping and scrolling. */
export function useSwipe(onSwipe: () => void, isPossible: boolean) {
  const [shift, setShift] = useState(0);
  const from = useRef<{ x: number; y: number; isSideways?: boolean }>(undefined);

  function end(isMeant: boolean): void {
    from.current = undefined;
    if (isMeant && shift >= TRIGGER_PX) onSwipe();
    setShift(0);
  }

  return {
    shift,
    handlers: {
      onPointerDown(event: PointerEvent) {
        if (isPossible && event.pointerType === 'touch') from.current = { x: event.clientX, y: event.clientY };
      },
      onPointerMove(event: PointerEvent) {
        const start = from.current;
        if (start === undefined) return;
        const x = event.clientX - start.x;
        const y = event.clientY - start.y;
        if (start.isSideways === undefined && Math.hypot(x, y) > DECIDED_PX) start.isSideways = x > Math.abs(y);
        if (start.isSideways) setShift(Math.min(MAX_PX, Math.max(0, x)));
      },
      onPointerUp: () => end(true),
      // The browser took over the pointer, for example to scroll: no reply.
      onPointerCancel: () => end(false),
    },
  };
}
