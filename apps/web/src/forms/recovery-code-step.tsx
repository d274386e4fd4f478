import type { FormEvent } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { useCodeAttempt } from '../core/session/use-code-attempt.ts';
import { CustomButton } from '../ui/custom-button.tsx';
import { CustomInput } from '../ui/custom-input.tsx';
import { readField } from './read-field.ts';

interface RecoveryCodeStepProps {
  onGive: (code: string) => Promise<void>;
}

/** Asks for one of the recovery codes, which were shown once. */
export function RecoveryCodeStep({ onGive }: RecoveryCodeStepProps) {
  const { t } = useTranslation('factors');
  const { problem, isWaiting, submit } = useCodeAttempt(onGive);

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    void submit(readField(event, 'code').padEnd(6));
  }

  return (
    <form noValidate onSubmit={handleSubmit} className="flex flex-col gap-4">
      <CustomInput
        label={t('step.paperCode')}
        hint={t('step.paperHint')}
        name="code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        error={problem && t(`problems.${problem}`)}
      />
      <CustomButton type="submit" size="large" isWide isWaiting={isWaiting}>
        {t('common.continue')}
      </CustomButton>
    </form>
  );
}
