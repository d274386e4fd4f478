import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { explainError } from '../../core/lib/explain-error.ts';
import { loadUnlocking } from '../../core/session/load-account.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomTextArea } from '../../ui/custom-text-area.tsx';
import type { UnlockMethodProps } from './unlock-method-props.ts';

export function UnlockByKey({ account, onSettled }: UnlockMethodProps) {
  const { t } = useTranslation('recovery');
  const [problem, setProblem] = useState<'mistyped' | 'notYours'>();
  const [isWaiting, setIsWaiting] = useState(false);

  async function open(typed: string): Promise<void> {
    setIsWaiting(true);
    setProblem(undefined);
    try {
      onSettled(await (await loadUnlocking()).openWithRecoveryKey(account, typed));
    } catch (error) {
      explainError(error, {
        invalid_request: () => setProblem('mistyped'),
        forbidden: () => setProblem('notYours'),
        other: t('unlock.offline'),
      });
    } finally {
      setIsWaiting(false);
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('key');
    void open(typeof typed === 'string' ? typed : '');
  }

  return (
    <form noValidate onSubmit={handleSubmit} className="flex flex-col gap-4">
      <div>
        <h2 className="text-title font-bold">{t('ways.recoveryKey.title')}</h2>
        <p className="mt-1 text-muted">{t('key.text')}</p>
      </div>
      <CustomTextArea
        label={t('key.label')}
        name="key"
        rows={3}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={problem && t(`key.${problem}`)}
      />
      <CustomButton type="submit" size="large" isWide isWaiting={isWaiting}>
        {t('unlock.open')}
      </CustomButton>
    </form>
  );
}
