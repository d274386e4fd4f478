import { AccountId } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { agree, commitTo, makeTransferKey } from './device-transfer.ts';

const account = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));

test('two devices agree on six digits, and each opens what the other seals', async () => {
  const [asker, giver] = [await makeTransferKey(), await makeTransferKey()];
  const keys = { account, askerKey: asker.publicKey, giverKey: giver.publicKey };
  const [here, there] = [await agree(asker, keys), await agree(giver, keys)];
  expect(here.digits).toMatch(/^\d{6}$/);
  expect(here.countersign).toMatch(/^\d{4}$/);
  expect(there).toMatchObject({ digits: here.digits, countersign: here.countersign });
  const accountKey = random(32);
  expect(await here.open(await there.seal(accountKey, random))).toEqual(accountKey);
});

test('an attacker in between shows other digits and opens nothing', async () => {
  const [asker, giver, mallory] = [await makeTransferKey(), await makeTransferKey(), await makeTransferKey()];
  const toAsker = await agree(asker, { account, askerKey: asker.publicKey, giverKey: mallory.publicKey });
  const keys = { account, askerKey: mallory.publicKey, giverKey: giver.publicKey };
  const toGiver = await agree(giver, keys);
  expect(toGiver.digits).not.toBe(toAsker.digits);
  expect(await toAsker.open(await toGiver.seal(random(32), random))).toBeUndefined();
  expect(await commitTo(mallory.publicKey)).not.toBe(await commitTo(asker.publicKey));
});

test('a secret of one account opens nothing of another', async () => {
  const [asker, giver] = [await makeTransferKey(), await makeTransferKey()];
  const keys = { askerKey: asker.publicKey, giverKey: giver.publicKey };
  const other = AccountId.parse('b0b00000-0000-4000-8000-000000000002');
  const sealed = await (await agree(giver, { account, ...keys })).seal(random(32), random);
  expect(await (await agree(asker, { account: other, ...keys })).open(sealed)).toBeUndefined();
});
