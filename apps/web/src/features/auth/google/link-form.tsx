import type { AccountId } from '@dostar/protocol/ids';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { paths } from '../../../core/lib/paths.ts';
import { useLocalPath } from '../../../core/i18n/use-locale.ts';
import { loadGoogle } from '../load-auth.ts';
import { PasswordStep } from './password-step.tsx';

interface LinkFormProps {
  email: string;
  onDone: (account: AccountId) => void;
  /** The account requires a second factor first. */
  onPending: () => void;
}

/** Asks for the password of the account that has this email, then links the account to Google. */
export function LinkForm({ email, onDone, onPending }: LinkFormProps) {
  const { t } = useTranslation('google');
  const local = useLocalPath();

  async function handlePassword(password: string): Promise<void> {
    const { account, owes } = await (await loadGoogle()).signInAndLink(email, password);
    if (owes.length > 0) onPending();
    else {
      showFeedback('success', t('link.done'), successDuration);
      onDone(account);
    }
  }

  return (
    <PasswordStep
      title={t('link.title')}
      lead={t('link.lead', { email })}
      submit={t('link.submit')}
      email={email}
      onPassword={handlePassword}
    >
      <p className="mt-4 text-center">
        <Link
          to={local(paths.signIn)}
          className="inline-flex min-h-11 items-center font-semibold text-accent hover:underline"
        >
          {t('link.notNow')}
        </Link>
      </p>
    </PasswordStep>
  );
}
