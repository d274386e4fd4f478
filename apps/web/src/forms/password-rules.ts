/** The operator's rules for new passwords; those of the specification until they are loaded. */
import type { LoadedRules } from './load-password-rules.ts';

const specified: LoadedRules = { minimum: 4, isCommon: () => false };

let rules = specified;
let loading: Promise<void> | undefined;

export function readPasswordMinimum(): number {
  return rules.minimum;
}

export function findRefusal(password: string, email: string): 'short' | 'common' | undefined {
  if (Array.from(password).length < rules.minimum) return 'short';
  return rules.isCommon(password, email) ? 'common' : undefined;
}

/** Loads the rules once. After a failure the next form tries again. */
export function loadPasswordRules(): Promise<void> {
  loading ??= load().catch(() => {
    loading = undefined;
  });
  return loading;
}

async function load(): Promise<void> {
  const { fetchRules } = await import('./load-password-rules.ts');
  rules = await fetchRules();
}
