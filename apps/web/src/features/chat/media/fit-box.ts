export interface Size {
  width: number;
  height: number;
}

/** The box a picture gets in the timeline before a single byte of it has come: nothing moves when it does. */
export function fitBox({ width, height }: Size, most: Size, least = 96): Size {
  if (!(width > 0 && height > 0)) return { width: most.width, height: most.width };
  const scale = Math.min(most.width / width, most.height / height, 1);
  return {
    width: Math.max(least, Math.round(width * scale)),
    height: Math.max(least, Math.round(height * scale)),
  };
}
