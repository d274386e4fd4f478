import { expect, test } from 'vitest';
import { drawPicture } from './draw-picture.ts';
import type { PictureTransform } from './transform.ts';

const TRANSFORM: PictureTransform = {
  source: 'raster',
  width: 10,
  height: 10,
  gravity: 'center',
  quality: -1,
  borderWidth: 0,
  borderColor: '000000',
  borderRadius: 0,
  opacity: 1,
  rotation: 0,
  background: '',
  output: 'webp',
};

test('with two pictures being drawn and forty waiting, further callers get `busy`', async () => {
  const { promise: bytes, reject } = Promise.withResolvers<Buffer>();
  const drawing = Array.from({ length: 42 }, () => drawPicture(TRANSFORM, () => bytes));
  const outcomes = Promise.allSettled(drawing);

  await expect(drawPicture(TRANSFORM, () => bytes)).rejects.toMatchObject({ why: 'busy' });

  reject(new Error('no bytes'));
  const reasons = (await outcomes).map((outcome) => outcome.status === 'rejected' && String(outcome.reason));
  expect(reasons).toEqual(Array.from({ length: 42 }, () => 'Error: no bytes'));
  await expect(drawPicture(TRANSFORM, () => bytes)).rejects.toThrow('no bytes');
});
