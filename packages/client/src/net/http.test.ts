import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { sendMessage } from '@dostar/protocol/contract/messages';
import { getSession } from '@dostar/protocol/contract/sessions';
import { AppError } from '@dostar/protocol/errors';
import { AccountId, DeviceId, MessageId } from '@dostar/protocol/ids';
import { VERSION_HEADER } from '@dostar/protocol/version';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { callEndpoint } from './http.ts';

const uuid = 'a11ce000-0000-4000-8000-000000000001';
const session = { account: AccountId.parse(uuid), device: DeviceId.parse(uuid) };
const { signal } = new AbortController();

test('H2: a call goes to its path with its method and our header', async () => {
  const fetch = vi.fn(async () => Response.json(session));
  await expect(callEndpoint(deps(fetch), getSession, undefined, signal)).resolves.toEqual(session);
  expect(fetch).toHaveBeenCalledWith(
    new URL('http://server.test/api/session'),
    expect.objectContaining({ method: 'GET', headers: { [CALL_HEADER]: '1', [VERSION_HEADER]: '1' } }),
  );
});

test('H2: a call names the account it is for', async () => {
  const fetch = vi.fn(async () => Response.json(session));
  await callEndpoint({ ...deps(fetch), account: session.account }, getSession, undefined, signal);
  expect(fetch).toHaveBeenCalledWith(
    expect.anything(),
    expect.objectContaining({ headers: expect.objectContaining({ [CALL_HEADER]: session.account }) }),
  );
});

test('a body that breaks the contract is not sent', async () => {
  const fetch = vi.fn(async () => Response.json({}));
  const body = { id: MessageId.parse(uuid), to: AccountId.parse(uuid), body: '' };
  await expect(callEndpoint(deps(fetch), sendMessage, body, signal)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(fetch).not.toHaveBeenCalled();
});

test.each<[string, string, () => Promise<Response>]>([
  ['a failure of ours', 'blocked', async () => Response.json({ error: 'blocked' }, { status: 403 })],
  ['a code this program does not know', 'unavailable', async () => Response.json({ error: 'new' }, { status: 400 })],
  ["a proxy's page", 'unavailable', async () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ['a missing network', 'unavailable', () => Promise.reject(new TypeError('fetch failed'))],
  ['an answer that breaks the contract', 'internal', async () => Response.json({ account: 'alice' })],
])('H5: %s comes out as %s', async (_, code, fetch) => {
  await expect(callEndpoint(deps(fetch), getSession, undefined, signal)).rejects.toMatchObject({ code });
});

test('an error has the details that the server sent', async () => {
  const answer = Response.json({ error: 'rate_limited', details: { points: 1 } }, { status: 429 });
  const failure = callEndpoint(
    deps(async () => answer),
    getSession,
    undefined,
    signal,
  );
  await expect(failure).rejects.toEqual(new AppError('rate_limited', { points: 1 }));
});

test('a call that hangs is aborted', async () => {
  vi.useFakeTimers();
  const call = callEndpoint(deps(hang), getSession, undefined, signal);
  const given = expect(call).rejects.toMatchObject({ code: 'unavailable' });
  await vi.advanceTimersByTimeAsync(30_000);
  await given;
  vi.useRealTimers();
});

function deps(fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>) {
  return { baseUrl: 'http://server.test', fetch, clock: systemClock };
}

function hang(_input: string | URL | Request, init?: RequestInit): Promise<Response> {
  return new Promise((_, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });
}
