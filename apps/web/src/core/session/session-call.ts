import { ANY_ACCOUNT, CALL_HEADER, type Endpoint } from '@dostar/protocol/contract/endpoint';
import { revokeCurrentSession, getSession } from '@dostar/protocol/contract/sessions';
import { getUser, storeUser, updateUser, type UserDocument } from '@dostar/protocol/contract/users';
import type { SignOutReason } from './session.ts';

const answerTimeoutMs = 10_000;
/** The most tokens that a user document holds. */
const MAX_TOKENS = 20;

type Refusal = SignOutReason | 'unreachable';

/** The server's answer or refusal. Network errors and server errors are not refusals. */
async function callEndpoint(
  { method, path }: Endpoint,
  account: string,
  body?: object,
): Promise<{ json: unknown } | Refusal> {
  try {
    const reply = await fetch(path, {
      method,
      headers: { [CALL_HEADER]: account, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(answerTimeoutMs),
      ...(body && { body: JSON.stringify(body) }),
    });
    const json = (await reply.json()) as unknown;
    if (reply.ok) return { json };
    return reply.status === 401 || reply.status === 403 ? readRefusal(json) : 'unreachable';
  } catch {
    return 'unreachable';
  }
}

/** `expired` if the server names a reason, such as a missing cookie: the session was not ended on purpose. */
function readRefusal(json: unknown): Refusal {
  const { error, details } = json as { error?: string; details?: { reason?: string } };
  // Another tab has signed in to another account, and notifies this tab itself.
  if (error === 'wrong_account') return 'unreachable';
  return error === 'unauthenticated' && details?.reason === undefined ? 'ended' : 'expired';
}

/** Returns the account's id, or why there is no session. */
export async function fetchSession(): Promise<{ account: string } | Refusal> {
  const answer = await callEndpoint(getSession, ANY_ACCOUNT);
  if (typeof answer === 'string') return answer;
  return getSession.reply.safeParse(answer.json).data ?? 'unreachable';
}

export async function fetchUser(account: string): Promise<UserDocument | Refusal> {
  const answer = await callEndpoint(getUser, account);
  if (typeof answer === 'string') return answer;
  return getUser.reply.safeParse(answer.json).data ?? 'unreachable';
}

/** Called at every start and every minute after it. */
export async function callStoreUser(account: string): Promise<Refusal | 'stored'> {
  const answer = await callEndpoint(storeUser, account, { userId: account });
  return typeof answer === 'string' ? answer : 'stored';
}

/** Sets the language of emails to the account's owner. */
export async function callSetLanguage(account: string, locale: string): Promise<void> {
  await callEndpoint(updateUser, account, { documentId: account, data: { locale } });
}

/** Replaces this browser's former token in the account's list of Firebase tokens. */
export async function recordPushToken(account: string, token: string, before: string | undefined): Promise<void> {
  const user = await fetchUser(account);
  if (typeof user === 'string') return;
  const others = user.FCMToken.filter((one) => one !== before && one !== token);
  const FCMToken = [...others, token].slice(-MAX_TOKENS);
  await callEndpoint(updateUser, account, { documentId: account, data: { FCMToken } });
}

/**
 * Ends the session of `account`, never one of another account in another tab. Returns whether the server knows it now.
 */
export async function callEndSession(account: string): Promise<boolean> {
  return (await callEndpoint(revokeCurrentSession, account)) !== 'unreachable';
}
