export interface Size {
  width: number;
  height: number;
}

/** The box a picture gets in the timeline before a single byte of it has come: nothing moves when it does. */
export function fitBox({ width, height }: Size, max: Size, minSide = 96): Size {
  if (!(width > 0 && height > 0)) return { width: max.width, height: max.width };
  const scale = Math.min(max.width / width, max.height / height, 1);
  return {
    width: Math.max(minSide, Math.round(width * scale)),
    height: Math.max(minSide, Math.round(height * scale)),
  };
}
