import * as contract from '@dostar/protocol/contract/device-transfer';
import { AccountId } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import type { AuthDeps } from './auth.ts';
import { createDeviceChannel } from './device-channel.ts';

const account = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const accountKey = Uint8Array.from({ length: 32 }, (_, index) => index);
const id = '0190163d-8694-4f3a-8f2f-3a6f3c1d2e4b';
const never = new AbortController().signal;

/** One device transfer as the server carries it. */
function createServer() {
  const transfer: Record<string, unknown> = {
    id,
    client: 'Firefox',
    at: 0,
    askerKey: null,
    giverKey: null,
    sealed: null,
  };
  const steps: Record<string, (body: Record<string, unknown>) => unknown> = {
    [contract.requestDeviceTransfer.path]: ({ commitment }) =>
      void Object.assign(transfer, { commitment, state: 'asked' }),
    [contract.answerDeviceTransfer.path]: ({ publicKey }) => (transfer.giverKey = publicKey),
    [contract.revealDeviceTransfer.path]: ({ publicKey }) => (transfer.askerKey = publicKey),
    [contract.sealDeviceTransfer.path]: ({ sealed }) => (transfer.sealed = sealed),
    [contract.getDeviceTransfer.path]: () => undefined,
  };
  const fetch = async (input: URL, init: RequestInit): Promise<Response> => {
    steps[input.pathname]?.(JSON.parse(init.body as string) as Record<string, unknown>);
    return Response.json({ ...transfer, success: true });
  };
  /** A device of the account; `key` is the account key that it has. */
  const open = (key: Uint8Array<ArrayBuffer>) =>
    createDeviceChannel({
      baseUrl: 'https://dostar.example',
      fetch: fetch as typeof globalThis.fetch,
      clock: { now: () => 0, sleep: () => new Promise((resolve) => setTimeout(resolve, 1)) },
      random: (size: number) => crypto.getRandomValues(new Uint8Array(size)),
      keys: { get: async () => key },
    } as unknown as AuthDeps);
  const request = async (): Promise<contract.DeviceTransfer> => {
    while (transfer.commitment === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
    return contract.DeviceTransfer.parse(transfer);
  };
  return { open, request };
}

test('the key is transferred once the person has typed the digits and the countersign', async () => {
  const { open, request } = createServer();
  const shown = Promise.withResolvers<string>();
  const asking = open(accountKey).ask(account, shown.resolve, never);
  const answered = await open(accountKey).answer(account, await request(), never);
  const digits = await shown.promise;
  expect(await answered?.give(digits === '000000' ? '000001' : '000000')).toBe(undefined);
  const countersign = (await answered?.give(digits)) ?? '';
  expect((await asking)?.take(countersign)).toEqual(accountKey);
});

test('the key of a stolen session that answers first is refused: the person can read no countersign', async () => {
  const { open, request } = createServer();
  const shown = Promise.withResolvers<string>();
  const asking = open(accountKey).ask(account, shown.resolve, never);
  // The thief knows the digits, since it derived them with the asking device. The person typed them nowhere.
  const thief = await open(new Uint8Array(32)).answer(account, await request(), never);
  const countersign = (await thief?.give(await shown.promise)) ?? '';
  const given = await asking;
  expect(given).not.toBeInstanceOf(Uint8Array);
  expect(given?.take('')).toBe(undefined);
  expect(given?.take(countersign === '0000' ? '0001' : '0000')).toBe(undefined);
});
