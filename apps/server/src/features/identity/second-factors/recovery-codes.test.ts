import { argon2Sync } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { AccountId } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { hashRecoveryCode, generateRecoveryCodes } from './recovery-codes.ts';

const account = '6af8e5be-003d-4e64-8d83-0c5d4d9b1f11' as AccountId;

test('a recovery code is stored as Argon2id with 19 MiB and two passes, salted by account', async () => {
  const [code = ''] = generateRecoveryCodes();
  const nonce = `recovery code ${account}`;
  const message = code.replace('-', '');
  const expected = argon2Sync('argon2id', { message, nonce, parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 });
  expect(await hashRecoveryCode(account, code)).toEqual(expected);
  expect(await hashRecoveryCode(account.replace('6', '7') as AccountId, code)).not.toEqual(expected);
});

test('hashing many recovery codes leaves threads for files and ciphers', async () => {
  let finished = 0;
  const hashes = Array.from({ length: 32 }, async (_, n) => {
    await hashRecoveryCode(account, `code ${n}`);
    finished += 1;
  });
  await stat(import.meta.filename);
  expect(finished).toBeLessThan(12);
  await Promise.all(hashes);
});
