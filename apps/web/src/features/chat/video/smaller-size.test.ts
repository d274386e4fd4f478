import { expect, test } from 'vitest';
import { toSmaller } from './smaller-size.ts';

const MB = 1024 ** 2;

test('a phone video becomes 720p at about 2.5 Mbit/s in portrait and in landscape', () => {
  const film = { bytes: 120 * MB, duration: 60 };
  expect(toSmaller({ ...film, width: 3840, height: 2160 })).toMatchObject({ width: 1280, height: 720 });
  const upright = toSmaller({ ...film, width: 1080, height: 1920 });
  expect(upright).toMatchObject({ width: 720, height: 1280, bitrate: 2_500_000 });
  expect(upright!.bytes / MB).toBeCloseTo(18.8, 1);
});

test('a 720p video with a high bitrate keeps its dimensions and gets a lower bitrate', () => {
  expect(toSmaller({ width: 1280, height: 720, bytes: 60 * MB, duration: 60 })).toMatchObject({
    width: 1280,
    height: 720,
  });
});

test('a large video with a low bitrate, such as a screen recording, gets a lower bitrate', () => {
  const smaller = toSmaller({ width: 1920, height: 1080, bytes: 15 * MB, duration: 60 });
  expect(smaller!.bitrate).toBeLessThan(1_000_000);
  expect(smaller!.bytes).toBeLessThan(8 * MB);
});

test.each([
  ['is small already', { width: 640, height: 360, bytes: 4 * MB, duration: 60 }],
  ['has no length', { width: 1920, height: 1080, bytes: 4 * MB, duration: 0 }],
])('no smaller copy is offered for a video that %s', (_, film) => {
  expect(toSmaller(film)).toBeUndefined();
});

test('the dimensions are even, as encoders require', () => {
  const smaller = toSmaller({ width: 1081, height: 1923, bytes: 120 * MB, duration: 60 });
  expect([smaller!.width % 2, smaller!.height % 2]).toEqual([0, 0]);
});
