import { useTranslation } from '../core/i18n/use-translation.ts';
import { cx } from './cx.ts';
import { measurePassword, type PasswordStrength, passwordStrengths } from './password-strength.ts';

const tints: Record<PasswordStrength, string> = {
  weak: 'bg-danger',
  fair: 'bg-sun',
  good: 'bg-accent',
  strong: 'bg-ok',
};

export function PasswordMeter({ password }: { password: string }) {
  const { t } = useTranslation('ui');
  const strength = measurePassword(password);
  const steps = password === '' ? 0 : passwordStrengths.indexOf(strength) + 1;
  return (
    <div
      className="mt-2.5 flex items-center gap-3"
      role="meter"
      aria-label={t('password.strength')}
      aria-valuemin={0}
      aria-valuemax={passwordStrengths.length}
      aria-valuenow={steps}
      aria-valuetext={steps === 0 ? '' : t(`password.${strength}`)}
    >
      <div className="flex grow gap-1.5">
        {passwordStrengths.map((step, index) => (
          <span
            key={step}
            className={cx(
              'h-1.5 grow rounded-round transition-colors',
              index < steps ? tints[strength] : 'bg-surface-3',
            )}
          />
        ))}
      </div>
      <span className="min-w-16 text-right text-small text-muted">{steps > 0 && t(`password.${strength}`)}</span>
    </div>
  );
}
