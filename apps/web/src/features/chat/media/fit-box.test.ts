import { expect, test } from 'vitest';
import { fitBox } from './fit-box.ts';

const most = { width: 340, height: 400 };

test.each([
  ['a wide picture', { width: 3400, height: 1000 }, { width: 340, height: 100 }],
  ['a tall picture', { width: 1000, height: 4000 }, { width: 100, height: 400 }],
  ['a small picture', { width: 200, height: 150 }, { width: 200, height: 150 }],
  ['a line', { width: 3000, height: 2 }, { width: 340, height: 96 }],
  ['no size at all', { width: 0, height: 0 }, { width: 340, height: 340 }],
])('%s gets its box', (_name, size, box) => {
  expect(fitBox(size, most)).toEqual(box);
});
