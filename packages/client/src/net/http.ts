/**
 * Calls the contract's endpoints. Every failure is thrown as an AppError of the protocol's list, so that only the table
 * in packages/protocol/src/errors.ts decides what happens next.
 */
import { ANY_ACCOUNT, CALL_HEADER, type Endpoint } from '@dostar/protocol/contract/endpoint';
import { AppError, isErrorCode } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { PROTOCOL_VERSION, VERSION_HEADER } from '@dostar/protocol/version';
import { z } from 'zod';
import type { ClientDeps } from '../deps.ts';

/**
 * A call that hangs would block its chat: after this it counts as lost, and each caller decides whether to repeat it.
 */
const RESPONSE_TIMEOUT_MS = 30_000;

interface CallDeps extends Pick<ClientDeps, 'baseUrl' | 'fetch' | 'clock'> {
  /** The account that the call is for: the server refuses another account's cookie with `wrong_account`. */
  account?: AccountId | undefined;
}

export async function callEndpoint<E extends Endpoint>(
  deps: CallDeps,
  endpoint: E,
  body: z.input<E['body']>,
  signal: AbortSignal,
): Promise<z.output<E['reply']>> {
  const request = endpoint.body.safeParse(body);
  if (!request.success) throw new AppError('invalid_request', undefined, { cause: request.error });
  const { isOk, answer } = await exchange(deps, endpoint, request.data, signal);
  if (!isOk) throw readFailure(answer);
  const reply = endpoint.reply.safeParse(answer);
  if (!reply.success) throw new AppError('internal', undefined, { cause: reply.error });
  return reply.data as z.output<E['reply']>;
}

async function exchange(
  { baseUrl, fetch, clock, account }: CallDeps,
  { method, path }: Endpoint,
  body: unknown,
  signal: AbortSignal,
): Promise<{ isOk: boolean; answer: unknown }> {
  const answered = new AbortController();
  const late = new AbortController();
  void clock.sleep(RESPONSE_TIMEOUT_MS, AbortSignal.any([signal, answered.signal])).then(() => late.abort());
  try {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        [CALL_HEADER]: account ?? ANY_ACCOUNT,
        [VERSION_HEADER]: String(PROTOCOL_VERSION),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      signal: late.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { isOk: response.ok, answer: await response.json() };
  } catch (error) {
    // No network, an aborted call, or the page of a proxy: the server may or may not have performed the call.
    throw new AppError('unavailable', undefined, { cause: error });
  } finally {
    answered.abort();
  }
}

const Failure = z.object({
  error: z.custom<AppError['code']>(isErrorCode),
  details: z.record(z.string(), z.unknown()).optional(),
});

/** A failure in another format does not come from our server, and may be retried. */
export function readFailure(answer: unknown): AppError {
  const failure = Failure.safeParse(answer);
  return failure.success ? new AppError(failure.data.error, failure.data.details) : new AppError('unavailable');
}
