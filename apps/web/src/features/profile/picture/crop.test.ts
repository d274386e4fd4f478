import { expect, it } from 'vitest';
import { clampView, pushView, scaleOf, turnView, wholeView } from './crop.ts';

const wide = { width: 400, height: 200 };
const square = { width: 100, height: 100 };

it('scales the picture to fill the frame', () => {
  expect(scaleOf(wide, square, wholeView)).toBe(0.5);
  expect(scaleOf(wide, square, { ...wholeView, turns: 1 })).toBe(0.5);
  expect(scaleOf(wide, square, { ...wholeView, zoom: 2 })).toBe(1);
});

it('never shows an edge of the picture', () => {
  expect(pushView(wide, square, wholeView, { x: 1000, y: 1000 })).toMatchObject({ x: 0.25, y: 0.5 });
  expect(pushView(wide, square, wholeView, { x: -1000, y: 0 })).toMatchObject({ x: 0.75, y: 0.5 });
  expect(clampView(wide, square, { ...wholeView, x: 0, y: 0, zoom: 2 })).toMatchObject({ x: 0.125, y: 0.25 });
});

it('limits the zoom to between one and four', () => {
  expect(clampView(wide, square, { ...wholeView, zoom: 9 }).zoom).toBe(4);
  expect(clampView(wide, square, { ...wholeView, zoom: 0.1 }).zoom).toBe(1);
});

it('four quarter turns restore the view, and a turn keeps the centre', () => {
  const view = clampView(wide, square, { ...wholeView, x: 0.3, y: 0.4, zoom: 3 });
  let turned = view;
  for (let quarter = 0; quarter < 4; quarter += 1) turned = turnView(wide, square, turned, 1);
  expect(turned.x).toBeCloseTo(view.x);
  expect(turned.y).toBeCloseTo(view.y);
  expect(turned.turns).toBe(0);
  expect(turnView(wide, square, turnView(wide, square, view, 1), -1).x).toBeCloseTo(view.x);
});
