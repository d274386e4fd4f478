import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { explainError } from '../../core/lib/explain-error.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomPasswordInput } from '../../ui/custom-password-input.tsx';

interface SecretFormProps {
  title: string;
  text: string;
  label: string;
  submit: string;
  isDangerous?: boolean;
  /** Rejects with a protocol error, which the form shows. */
  onSecret: (secret: string) => Promise<void>;
  children?: ReactNode;
}

/** Form with one secret field and its error message. */
export function SecretForm({ title, text, label, submit, isDangerous = false, onSecret, children }: SecretFormProps) {
  const { t } = useTranslation('auth');
  const [problem, setProblem] = useState<string>();
  const [isWaiting, setIsWaiting] = useState(false);

  async function take(secret: string): Promise<void> {
    setIsWaiting(true);
    setProblem(undefined);
    try {
      await onSecret(secret);
    } catch (error) {
      explainError(error, {
        wrong_password: () => setProblem(t('signIn.passwordWrong')),
        rate_limited: t('common.tooOften'),
        other: t('common.offline'),
      });
    } finally {
      setIsWaiting(false);
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const secret = new FormData(event.currentTarget).get('secret');
    if (typeof secret === 'string' && secret !== '') void take(secret);
    else setProblem(t('signUp.passwordRequired'));
  }

  return (
    <form noValidate onSubmit={handleSubmit} className="flex flex-col gap-4">
      <div>
        <h2 className="text-title font-bold">{title}</h2>
        <p className="mt-1 text-muted">{text}</p>
      </div>
      {children}
      <CustomPasswordInput label={label} name="secret" error={problem} />
      <CustomButton type="submit" size="large" isWide kind={isDangerous ? 'danger' : 'primary'} isWaiting={isWaiting}>
        {submit}
      </CustomButton>
    </form>
  );
}
