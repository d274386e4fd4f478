/** The operator's rules for new passwords: the specification's until they have been loaded. */
import type { LoadedRules } from './load-password-rules.ts';

const specified: LoadedRules = { minimum: 4, isRefused: () => false };

let rules = specified;
let loading: Promise<void> | undefined;

export function readPasswordMinimum(): number {
  return rules.minimum;
}

export function isRefused(password: string, email: string): boolean {
  return rules.isRefused(password, email);
}

/** Loads them once. A failed attempt is repeated by the next form. */
export function loadPasswordRules(): Promise<void> {
  loading ??= load().catch(() => {
    loading = undefined;
  });
  return loading;
}

async function load(): Promise<void> {
  const { askForRules } = await import('./load-password-rules.ts');
  rules = await askForRules();
}
