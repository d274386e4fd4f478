import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

interface View {
  scale: number;
  x: number;
  y: number;
}

const whole: View = { scale: 1, x: 0, y: 0 };
const MAX_SCALE = 6;

interface Point {
  x: number;
  y: number;
}

/** Wheel, pinch and double press zoom around the pointer; a drag moves a zoomed picture. */
export function useZoom(frame: RefObject<HTMLElement | null>, onSwipe: (step: -1 | 1) => void) {
  const [view, setView] = useState(whole);
  const fingers = useRef(new Map<number, Point>());
  const start = useRef<Point>(undefined);

  useEffect(() => {
    const element = frame.current;
    function handleWheel(event: WheelEvent): void {
      event.preventDefault();
      setView((before) => zoom(before, Math.exp(-event.deltaY / 300), fromMiddle(event, element)));
    }
    // React registers wheel listeners as passive, so `preventDefault` would not stop the page zoom.
    element?.addEventListener('wheel', handleWheel, { passive: false });
    return () => element?.removeEventListener('wheel', handleWheel);
  }, [frame]);

  function handlePointerDown(event: PointerEvent): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, fromMiddle(event, frame.current));
    start.current = fingers.current.size === 1 ? fromMiddle(event, frame.current) : undefined;
  }

  function handlePointerMove(event: PointerEvent): void {
    const before = fingers.current.get(event.pointerId);
    if (before === undefined) return;
    const now = fromMiddle(event, frame.current);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    fingers.current.set(event.pointerId, now);
    if (other) setView((old) => zoom(old, distance(now, other) / distance(before, other), middle(now, other)));
    else if (view.scale > 1) setView((old) => ({ ...old, x: old.x + now.x - before.x, y: old.y + now.y - before.y }));
  }

  function handlePointerUp(event: PointerEvent): void {
    const moved = start.current ? fromMiddle(event, frame.current).x - start.current.x : 0;
    fingers.current.delete(event.pointerId);
    start.current = undefined;
    if (view.scale === 1 && Math.abs(moved) > 60) onSwipe(moved < 0 ? 1 : -1);
  }

  return {
    view,
    reset: () => setView(whole),
    toggle: (at: { clientX: number; clientY: number }) =>
      setView((before) => (before.scale > 1 ? whole : zoom(before, 2.5, fromMiddle(at, frame.current)))),
    handlers: {
      onPointerDown: handlePointerDown,
      onPointerMove: handlePointerMove,
      onPointerUp: handlePointerUp,
      onPointerCancel: handlePointerUp,
    },
  };
}

/** Scales around `at`, which keeps its position on screen. */
export function zoom({ scale, x, y }: View, factor: number, at: Point): View {
  const next = Math.min(MAX_SCALE, Math.max(1, scale * factor));
  if (next === 1) return whole;
  const share = next / scale;
  return { scale: next, x: at.x - (at.x - x) * share, y: at.y - (at.y - y) * share };
}

function fromMiddle(at: { clientX: number; clientY: number }, element: Element | null): Point {
  const box = element?.getBoundingClientRect();
  return box ? { x: at.clientX - box.x - box.width / 2, y: at.clientY - box.y - box.height / 2 } : { x: 0, y: 0 };
}

function distance(a: Point, b: Point): number {
  return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
