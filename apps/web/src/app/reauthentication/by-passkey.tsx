import { Fingerprint } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { openReauthentication } from '../../core/session/auth.ts';
import { useCodeAttempt } from '../../core/session/use-code-attempt.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { FieldNote } from '../../ui/field-note.tsx';

interface ReauthenticateByPasskeyProps {
  /** The account has no password, so the passkey is not offered as the other way. */
  isOnly: boolean;
  onAnswer: (isReauthenticated: boolean) => void;
}

export function ReauthenticateByPasskey({ isOnly, onAnswer }: ReauthenticateByPasskeyProps) {
  const { t } = useTranslation('factors');
  const { problem, isWaiting, submit } = useCodeAttempt(async () => {
    if (await openReauthentication().proveByPasskey()) onAnswer(true);
  });
  return (
    <div className="mt-4">
      <CustomButton
        kind={isOnly ? 'primary' : 'quiet'}
        isWide
        icon={<Fingerprint aria-hidden className="size-5" />}
        isWaiting={isWaiting}
        onClick={() => void submit('')}
      >
        {t('reauthentication.passkey')}
      </CustomButton>
      <FieldNote id="reauthentication-by-passkey" error={problem && t(`problems.${problem}`)} />
    </div>
  );
}
