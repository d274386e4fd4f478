import { Fingerprint } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { openProving } from '../../core/session/auth.ts';
import { useCodeTry } from '../../core/session/use-code-try.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { FieldNote } from '../../ui/field-note.tsx';

interface ProofByPasskeyProps {
  /** Beside a password it is the other way; alone it is the only one. */
  isOnly: boolean;
  onAnswer: (isProven: boolean) => void;
}

export function ProofByPasskey({ isOnly, onAnswer }: ProofByPasskeyProps) {
  const { t } = useTranslation('factors');
  const { problem, isWaiting, give } = useCodeTry(async () => {
    if (await openProving().proveByPasskey()) onAnswer(true);
  });
  return (
    <div className="mt-4">
      <CustomButton
        kind={isOnly ? 'primary' : 'quiet'}
        isWide
        icon={<Fingerprint aria-hidden className="size-5" />}
        isWaiting={isWaiting}
        onClick={() => void give('')}
      >
        {t('proof.passkey')}
      </CustomButton>
      <FieldNote id="proof-by-passkey" error={problem && t(`problems.${problem}`)} />
    </div>
  );
}
