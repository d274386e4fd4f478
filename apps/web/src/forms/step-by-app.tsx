import { useTranslation } from 'react-i18next';
import { useCodeTry } from '../core/session/use-code-try.ts';
import { CodeField } from '../ui/code-field.tsx';

interface StepByAppProps {
  onGive: (code: string) => Promise<void>;
}

export function StepByApp({ onGive }: StepByAppProps) {
  const { t } = useTranslation('factors');
  const { problem, isWaiting, tries, give } = useCodeTry(onGive);
  return (
    <CodeField
      key={tries}
      autoFocus
      label={t('step.appCode')}
      hint={t('step.appHint')}
      error={problem && t(`problems.${problem}`)}
      disabled={isWaiting}
      onComplete={(code) => void give(code)}
    />
  );
}
