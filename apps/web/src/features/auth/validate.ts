import { checkNewPassword, type NewPassword, type PasswordProblems } from '../../forms/check-new-password.ts';

/** Checks only for `x@x.xx`; the confirmation email is the real check. */
function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text);
}

export type SignInProblem = 'emailRequired' | 'emailInvalid';

export function checkSignIn(email: string): SignInProblem | undefined {
  if (email.trim() === '') return 'emailRequired';
  return isEmail(email.trim()) ? undefined : 'emailInvalid';
}

export interface SignUpForm extends NewPassword {
  email: string;
}

export interface SignUpProblems extends PasswordProblems {
  email?: 'emailRequired' | 'emailInvalid' | 'emailNotAllowed';
}

export function checkSignUp({ email, ...passwords }: SignUpForm): SignUpProblems {
  const problem = checkSignIn(email);
  return { ...(problem && { email: problem }), ...checkNewPassword(passwords) };
}
