export const minimumPassword = 4;

export interface NewPassword {
  password: string;
  confirmation: string;
}

export interface PasswordProblems {
  password?: 'passwordRequired' | 'passwordShort';
  confirmation?: 'confirmationRequired' | 'passwordsDiffer';
}

export function checkNewPassword({ password, confirmation }: NewPassword): PasswordProblems {
  const problems: PasswordProblems = {};
  if (password === '') problems.password = 'passwordRequired';
  else if (Array.from(password).length < minimumPassword) problems.password = 'passwordShort';
  if (confirmation === '') problems.confirmation = 'confirmationRequired';
  else if (confirmation !== password) problems.confirmation = 'passwordsDiffer';
  return problems;
}
