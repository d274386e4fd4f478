import { Sparkles, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { useLocale } from '../core/i18n/use-locale.ts';
import { CustomButton } from '../ui/custom-button.tsx';
import { CustomPasswordInput } from '../ui/custom-password-input.tsx';
import { minimumPassword, type PasswordProblems } from './check-new-password.ts';
import type { PasswordAdvice } from './use-password-advice.ts';

interface NewPasswordFieldsProps {
  label: string;
  problems: PasswordProblems;
  advice: PasswordAdvice;
}

/** The fields `password` and `confirmation` of the surrounding form. */
export function NewPasswordFields({ label, problems, advice }: NewPasswordFieldsProps) {
  const { t } = useTranslation('auth');
  const { code: locale } = useLocale();
  const [words, setWords] = useState<string>();
  // Uncontrolled fields show a suggestion only if a new key creates them again.
  const filled = words === undefined ? {} : { defaultValue: words, isShownAtFirst: true };

  async function handleSuggest(): Promise<void> {
    const { suggestWords } = await import('./words/suggest-words.ts');
    setWords(await suggestWords(locale));
    advice.clear();
  }

  return (
    <>
      <CustomPasswordInput
        key={`password ${words}`}
        {...filled}
        label={label}
        name="password"
        hasMeter
        hint={words === undefined ? t('fields.passwordHint', { count: advice.minimum }) : t('advice.keep')}
        error={problems.password && t(`signUp.${problems.password}`, { count: minimumPassword })}
        onChange={advice.clear}
      />
      <CustomPasswordInput
        key={`confirmation ${words}`}
        {...filled}
        label={t('fields.confirmPassword')}
        name="confirmation"
        autoComplete="new-password"
        error={problems.confirmation && t(`signUp.${problems.confirmation}`)}
      />
      <div role="status">
        {advice.given && (
          <div className="rounded-field border border-line bg-surface-2 p-4">
            <p className="flex gap-3">
              <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
              {advice.given === 'short' && t('signUp.passwordShort', { count: advice.minimum })}
              {advice.given === 'common' && t('advice.common')}
              {advice.given === 'weak' && t('advice.guessable')}
            </p>
            <div className="mt-3 flex flex-wrap gap-2">
              <CustomButton icon={<Sparkles aria-hidden className="size-5" />} onClick={() => void handleSuggest()}>
                {t('advice.suggest')}
              </CustomButton>
              {advice.given === 'weak' && (
                <CustomButton type="submit" kind="secondary" onClick={advice.wave}>
                  {t('advice.useAnyway')}
                </CustomButton>
              )}
            </div>
          </div>
        )}
      </div>
    </>
  );
}
