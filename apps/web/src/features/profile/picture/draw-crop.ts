import { scaleOf, type Size, turnedSize, type View } from './crop.ts';

/** Draws the cropped picture onto the whole canvas. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, view: View, frame: Size): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const shrink = canvas.width / frame.width;
  const scale = scaleOf(picture, frame, view) * shrink;
  const turned = turnedSize(picture, view.turns);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.translate(canvas.width / 2, canvas.height / 2);
  context.scale(scale, scale);
  context.translate((0.5 - view.x) * turned.width, (0.5 - view.y) * turned.height);
  context.rotate((view.turns * Math.PI) / 2);
  context.drawImage(picture, -picture.width / 2, -picture.height / 2);
}

/** Encodes the cropped picture for upload. */
export async function writeCrop(picture: ImageBitmap, view: View, frame: Size): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = frame.width;
  canvas.height = frame.height;
  drawCrop(canvas, picture, view, frame);
  // A browser without WebP encoding returns PNG, which may be too large; use JPEG instead.
  const webp = await toBlob(canvas, 'image/webp');
  return webp.type === 'image/webp' ? webp : toBlob(canvas, 'image/jpeg');
}

function toBlob(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be written'))), type, 0.86);
  });
}
