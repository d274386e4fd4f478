import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { DEFAULT_PASSWORD_MINIMUM, loadIsCommon, refusesCommon, wordsOf } from '@dostar/protocol/password-rules';

export interface LoadedRules {
  minimum: number;
  /** Refuses common passwords and parts of `email`, which is empty if unknown. */
  isCommon: (password: string, email: string) => boolean;
}

const address = '/api/auth/password-rules';

export async function fetchRules(): Promise<LoadedRules> {
  const reply = await fetch(address, { headers: { [CALL_HEADER]: ANY_ACCOUNT } });
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  const body = (await reply.json()) as { minimum?: unknown };
  const minimum = Math.max(DEFAULT_PASSWORD_MINIMUM, Number(body.minimum) || 0);
  if (!refusesCommon(minimum)) return { minimum, isCommon: () => false };
  const isKnown = await loadIsCommon();
  return { minimum, isCommon: (password, email) => isKnown(password, wordsOf(email)) };
}
