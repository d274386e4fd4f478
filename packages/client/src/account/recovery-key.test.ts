import { expect, test } from 'vitest';
import { readRecoveryKey, writeRecoveryKey } from './recovery-key.ts';

const random = () => crypto.getRandomValues(new Uint8Array(32));

test('a recovery key is read back as it was written, however it is typed', async () => {
  for (let n = 0; n < 50; n += 1) {
    const key = random();
    const written = await writeRecoveryKey(key);
    expect(written).toMatch(/^([0-9A-HJKMNP-TV-Z]{4} ){13}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(await readRecoveryKey(written)).toEqual(key);
    expect(await readRecoveryKey(written.toLowerCase().replaceAll(' ', '-').replaceAll('0', 'o'))).toEqual(key);
  }
});

test('a typo is detected', async () => {
  const written = await writeRecoveryKey(random());
  const other = written.startsWith('7') ? `8${written.slice(1)}` : `7${written.slice(1)}`;
  expect(await readRecoveryKey(other)).toBeUndefined();
  expect(await readRecoveryKey(written.slice(1))).toBeUndefined();
  expect(await readRecoveryKey('')).toBeUndefined();
});
