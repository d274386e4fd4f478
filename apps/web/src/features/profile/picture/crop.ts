/** Which part of a picture is taken: its middle in parts of the turned picture, how near, and how often it is turned. */
export interface View {
  x: number;
  y: number;
  /** 1: as much of it as fits. */
  zoom: number;
  /** Quarters to the right. */
  turns: number;
}

export interface Size {
  width: number;
  height: number;
}

export const wholeView: View = { x: 0.5, y: 0.5, zoom: 1, turns: 0 };
export const maxZoom = 4;

export function turnedSize({ width, height }: Size, turns: number): Size {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** Pixels of the frame for one of the picture: the frame is always filled. */
export function scaleOf(picture: Size, frame: Size, { zoom, turns }: View): number {
  const { width, height } = turnedSize(picture, turns);
  return Math.max(frame.width / width, frame.height / height) * zoom;
}

/** `half` of what is seen stays on either side. */
function clamp(part: number, half: number): number {
  return Math.min(1 - half, Math.max(half, part));
}

/** The nearest view that shows no edge. */
export function clampView(picture: Size, frame: Size, view: View): View {
  const zoom = Math.min(maxZoom, Math.max(1, view.zoom));
  const { width, height } = turnedSize(picture, view.turns);
  const scale = scaleOf(picture, frame, { ...view, zoom });
  return {
    ...view,
    zoom,
    x: clamp(view.x, Math.min(0.5, frame.width / scale / width / 2)),
    y: clamp(view.y, Math.min(0.5, frame.height / scale / height / 2)),
  };
}

/** The view after the picture was pushed by so many pixels of the frame. */
export function pushView(picture: Size, frame: Size, view: View, by: { x: number; y: number }): View {
  const { width, height } = turnedSize(picture, view.turns);
  const scale = scaleOf(picture, frame, view);
  return clampView(picture, frame, { ...view, x: view.x - by.x / scale / width, y: view.y - by.y / scale / height });
}

/** A quarter to the right or left; what was in the middle stays there. */
export function turnView(picture: Size, frame: Size, view: View, quarter: 1 | -1): View {
  const [x, y] = quarter === 1 ? [1 - view.y, view.x] : [view.y, 1 - view.x];
  return clampView(picture, frame, { ...view, x, y, turns: (view.turns + quarter + 4) % 4 });
}
