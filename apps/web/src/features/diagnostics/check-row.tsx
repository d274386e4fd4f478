import { CircleAlert, CircleCheck, CircleDashed, CircleEllipsis } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { formatNumber } from '../../core/i18n/format-number.ts';
import { useLocale } from '../../core/i18n/use-locale.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { cx } from '../../ui/cx.ts';
import type { Check, Outcome } from './check.ts';

interface CheckRowProps {
  check: Check;
  outcome: Outcome;
  onPress: (check: Check) => void;
}

const icons = {
  waiting: CircleDashed,
  running: CircleDashed,
  pass: CircleCheck,
  fail: CircleAlert,
  off: CircleEllipsis,
  signIn: CircleEllipsis,
  ask: CircleEllipsis,
};

export function CheckRow({ check, outcome: { state, durationMs }, onPress }: CheckRowProps) {
  const { t } = useTranslation('checks');
  const { code } = useLocale();
  const Icon = icons[state];
  const hasPress = check.press !== undefined;
  return (
    <li className="flex min-h-34 flex-wrap content-center items-center gap-x-4 gap-y-2 border-b border-line py-3 last:border-0 sm:min-h-24">
      <Icon
        aria-hidden
        className={cx(
          'size-6 shrink-0',
          state === 'pass' && 'text-ok',
          state === 'fail' && 'text-danger',
          state !== 'pass' && state !== 'fail' && 'text-muted',
        )}
      />
      <div className="min-w-0 grow basis-48">
        <p className="font-semibold">{t(`items.${check.id}.label`)}</p>
        {state === 'fail' && <p className="mt-0.5 text-muted">{t(`items.${check.id}.fix`)}</p>}
      </div>
      <p
        className={cx(
          'figures basis-full pl-10 text-small sm:w-56 sm:basis-auto sm:pl-0',
          state === 'fail' ? 'text-danger' : 'text-muted',
        )}
      >
        {t(`state.${state}`)}
        {durationMs !== undefined && ` · ${t('milliseconds', { value: formatNumber(code, durationMs) })}`}
      </p>
      {/* Reserves the space of the button, so the row does not grow while the user presses it. */}
      {hasPress && (
        <div className={cx(state !== 'ask' && 'invisible')}>
          <CustomButton kind="secondary" onClick={() => onPress(check)}>
            {t('tryIt')}
          </CustomButton>
        </div>
      )}
    </li>
  );
}
