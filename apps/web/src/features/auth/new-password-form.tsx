import { type FormEvent, useState } from 'react';
import { CustomButton } from '../../ui/custom-button.tsx';
import { NewPasswordFields } from '../../forms/new-password-fields.tsx';
import { focusFirstProblem, readField } from '../../forms/read-field.ts';
import { usePasswordAdvice } from '../../forms/use-password-advice.ts';
import { checkNewPassword, type PasswordProblems } from '../../forms/check-new-password.ts';

interface NewPasswordFormProps {
  /** Email of the account, for password managers. */
  email: string;
  label: string;
  submit: string;
  isWaiting: boolean;
  onPassword: (password: string) => void;
}

/** Two fields for a new password, with strength advice. */
export function NewPasswordForm({ email, label, submit, isWaiting, onPassword }: NewPasswordFormProps) {
  const [problems, setProblems] = useState<PasswordProblems>({});
  const advice = usePasswordAdvice();

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = { password: readField(event, 'password'), confirmation: readField(event, 'confirmation') };
    const found = checkNewPassword(form);
    setProblems(found);
    const names = Object.keys(found);
    if (names.length > 0) focusFirstProblem(event, names);
    else if (advice.isAccepted(form.password, email)) onPassword(form.password);
  }

  return (
    <form noValidate onSubmit={handleSubmit} className="flex flex-col gap-4">
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields problems={problems} advice={advice} label={label} />
      <CustomButton type="submit" size="large" isWide isWaiting={isWaiting}>
        {submit}
      </CustomButton>
    </form>
  );
}
