/** The operator's rules for new passwords, and the list of common ones where the rules refuse them. */
import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { DEFAULT_PASSWORD_MINIMUM, type IsCommon, loadIsCommon, refusesCommon } from '@dostar/protocol/password-rules';

const address = '/api/auth/password-rules';

let minimum = DEFAULT_PASSWORD_MINIMUM;
let isCommon: IsCommon = () => false;
let loading: Promise<void> | undefined;

/** The specification's until the operator's have been loaded. */
export function readPasswordMinimum(): number {
  return minimum;
}

export function isRefused(password: string, ownWords: readonly string[] = []): boolean {
  return isCommon(password, ownWords);
}

/** Loads them once. A failed attempt is repeated by the next form. */
export function loadPasswordRules(): Promise<void> {
  loading ??= ask().catch(() => {
    loading = undefined;
  });
  return loading;
}

async function ask(): Promise<void> {
  const reply = await fetch(address, { headers: { [CALL_HEADER]: ANY_ACCOUNT } });
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  const body = (await reply.json()) as { minimum?: unknown };
  if (typeof body.minimum !== 'number' || body.minimum < DEFAULT_PASSWORD_MINIMUM) return;
  ({ minimum } = body as { minimum: number });
  if (refusesCommon(minimum)) isCommon = await loadIsCommon();
}
