import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { endSession, getSession } from '@dostar/protocol/contract/sessions';
import type { Account } from './session.ts';

const headers = { [CALL_HEADER]: '1' };

export async function fetchSession(): Promise<Account | 'refused' | 'unreachable'> {
  try {
    const reply = await fetch(getSession.path, { method: getSession.method, headers });
    if (reply.status === 401 || reply.status === 403) return 'refused';
    if (!reply.ok) return 'unreachable';
    const { account } = getSession.reply.parse(await reply.json());
    return { id: account, username: undefined, name: undefined };
  } catch {
    return 'unreachable';
  }
}

/** Signing out never waits for the server: a session it could not be told about ends when it is next asked for. */
export async function callEndSession(): Promise<void> {
  try {
    await fetch(endSession.path, { method: endSession.method, headers });
  } catch {
    // Offline: see above.
  }
}
