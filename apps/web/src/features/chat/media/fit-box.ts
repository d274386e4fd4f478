export interface Size {
  width: number;
  height: number;
}

/** Size of a picture in the timeline, reserved before the picture loads, so that the layout does not shift. */
export function fitBox({ width, height }: Size, max: Size, minSide = 96): Size {
  if (!(width > 0 && height > 0)) return { width: max.width, height: max.width };
  const scale = Math.min(max.width / width, max.height / height, 1);
  return {
    width: Math.max(minSide, Math.round(width * scale)),
    height: Math.max(minSide, Math.round(height * scale)),
  };
}
