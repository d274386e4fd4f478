import { type MouseEvent, type TouchEvent, useEffect, useRef } from 'react';

const LONG_PRESS_MS = 500;
/** A finger that moves further than this is scrolling. */
const STILL_PX = 10;

export interface PressPlace {
  x: number;
  y: number;
}

/** Calls `onPress` for a right click, the menu key, or a long press. */
export function useMenuPress(onPress: (place: PressPlace) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const from = useRef<PressPlace>(undefined);
  const wasLong = useRef(false);

  function cancel(): void {
    clearTimeout(timer.current);
  }

  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    onContextMenu(event: MouseEvent) {
      event.preventDefault();
      event.stopPropagation();
      cancel();
      onPress({ x: event.clientX, y: event.clientY });
    },
    onTouchStart({ touches }: TouchEvent) {
      cancel();
      const touch = touches[0];
      if (touch === undefined || touches.length > 1) return;
      const place = { x: touch.clientX, y: touch.clientY };
      from.current = place;
      wasLong.current = false;
      timer.current = setTimeout(() => {
        wasLong.current = true;
        onPress(place);
      }, LONG_PRESS_MS);
    },
    onTouchMove({ touches }: TouchEvent) {
      const touch = touches[0];
      if (touch === undefined || from.current === undefined) return;
      const { x, y } = from.current;
      if (Math.hypot(touch.clientX - x, touch.clientY - y) > STILL_PX) cancel();
    },
    onTouchEnd(event: TouchEvent) {
      cancel();
      // Otherwise the browser sends a click, which would close the menu or press an item under the finger.
      if (wasLong.current) event.preventDefault();
      wasLong.current = false;
    },
    onTouchCancel: cancel,
  };
}
