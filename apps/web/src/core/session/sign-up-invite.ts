/** The invite that lets a visitor sign up. Plain code, because the contract's parser is larger than the sign-up page. */
import { INVITE_KEY } from '@dostar/client/invite-key';
import { readJson, writeJson } from '../lib/local-json.ts';

const operatorKey = 'operatorInvite';
/** As long as an invite of a user is kept. */
const lifetimeMs = 24 * 3_600_000;

/** Keeps an invite of the operator through the sign-up. False if the fragment is none. */
export function saveOperatorInvite(hash: string): boolean {
  const token = /^#([\w-]{22})$/.exec(hash)?.[1];
  if (token !== undefined) writeJson(operatorKey, { token, at: Date.now() });
  return token !== undefined;
}

export function forgetOperatorInvite(): void {
  writeJson(operatorKey, undefined);
}

/** The operator's invite comes first, because it lets a person in where an invite of a user does not. */
export function readSignUpInvite(): string | undefined {
  return readToken(operatorKey, 22) ?? readToken(INVITE_KEY, 43);
}

function readToken(key: string, length: number): string | undefined {
  const { token, at } = readJson(key);
  const isFresh = typeof at === 'number' && Date.now() - at < lifetimeMs;
  return isFresh && typeof token === 'string' && token.length === length ? token : undefined;
}
