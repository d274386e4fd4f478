/** Crop of a picture: centre (0 to 1 of the rotated picture), zoom and rotation. */
export interface View {
  x: number;
  y: number;
  /** 1: the whole width or height of the picture is visible. */
  zoom: number;
  /** Quarter turns clockwise. */
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

/** Frame pixels per picture pixel, such that the picture fills the frame. */
export function scaleOf(picture: Size, frame: Size, { zoom, turns }: View): number {
  const { width, height } = turnedSize(picture, turns);
  return Math.max(frame.width / width, frame.height / height) * zoom;
}

/** Keeps the centre at least `half` the visible share away from both edges. */
function clamp(part: number, half: number): number {
  return Math.min(1 - half, Math.max(half, part));
}

/** The nearest view that shows no edge of the picture. */
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

/** Moves the picture by a distance in frame pixels. */
export function pushView(picture: Size, frame: Size, view: View, by: { x: number; y: number }): View {
  const { width, height } = turnedSize(picture, view.turns);
  const scale = scaleOf(picture, frame, view);
  return clampView(picture, frame, { ...view, x: view.x - by.x / scale / width, y: view.y - by.y / scale / height });
}

/** Turns by a quarter clockwise (1) or counterclockwise (-1) and keeps the centre. */
export function turnView(picture: Size, frame: Size, view: View, quarter: 1 | -1): View {
  const [x, y] = quarter === 1 ? [1 - view.y, view.x] : [view.y, 1 - view.x];
  return clampView(picture, frame, { ...view, x, y, turns: (view.turns + quarter + 4) % 4 });
}
