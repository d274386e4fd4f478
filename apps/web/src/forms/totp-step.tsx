import { useTranslation } from '../core/i18n/use-translation.ts';
import { useCodeAttempt } from '../core/session/use-code-attempt.ts';
import { CodeField } from '../ui/code-field.tsx';

interface TotpStepProps {
  onGive: (code: string) => Promise<void>;
}

export function TotpStep({ onGive }: TotpStepProps) {
  const { t } = useTranslation('factors');
  const { problem, isWaiting, attempts, submit } = useCodeAttempt(onGive);
  return (
    <CodeField
      key={attempts}
      autoFocus
      label={t('step.appCode')}
      hint={t('step.appHint')}
      error={problem && t(`problems.${problem}`)}
      disabled={isWaiting}
      onComplete={(code) => void submit(code)}
    />
  );
}
