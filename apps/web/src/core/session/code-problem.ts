import { codeOf } from '../lib/failure.ts';

const problems = {
  wrong_password: 'wrongPassword',
  wrong_code: 'wrongCode',
  used_code: 'usedCode',
  expired_code: 'expiredCode',
  too_many_tries: 'tooManyTries',
  rate_limited: 'tooOften',
  too_soon: 'tooOften',
  passkey_refused: 'passkeyRefused',
  unavailable: 'offline',
  unauthenticated: 'lapsed',
} as const;

export type CodeProblem = (typeof problems)[keyof typeof problems] | 'failed';

/** The key of the sentence in `factors:problems` that explains a wrong code or password. */
export function problemOf(error: unknown): CodeProblem {
  const code = codeOf(error);
  return code !== undefined && code in problems ? problems[code as keyof typeof problems] : 'failed';
}
