export const minimumPassword = 4;

/** Something, an at sign, something with a dot. The letter we send is the real proof. */
function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text);
}

export type SignInProblem = 'emailRequired' | 'emailInvalid';

export function checkSignIn(email: string): SignInProblem | undefined {
  if (email.trim() === '') return 'emailRequired';
  return isEmail(email.trim()) ? undefined : 'emailInvalid';
}

export interface SignUpForm {
  email: string;
  password: string;
  confirmation: string;
}

export interface SignUpProblems {
  email?: 'emailRequired' | 'emailInvalid';
  password?: 'passwordRequired' | 'passwordShort';
  confirmation?: 'confirmationRequired' | 'passwordsDiffer';
}

export function checkSignUp({ email, password, confirmation }: SignUpForm): SignUpProblems {
  const problems: SignUpProblems = {};
  if (email.trim() === '') problems.email = 'emailRequired';
  else if (!isEmail(email.trim())) problems.email = 'emailInvalid';
  if (password === '') problems.password = 'passwordRequired';
  else if (Array.from(password).length < minimumPassword) problems.password = 'passwordShort';
  if (confirmation === '') problems.confirmation = 'confirmationRequired';
  else if (confirmation !== password) problems.confirmation = 'passwordsDiffer';
  return problems;
}
