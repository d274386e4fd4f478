import { CircleAlert, CircleCheck, CircleDashed, CircleEllipsis } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CustomButton } from '../../ui/custom-button.tsx';
import { cx } from '../../ui/cx.ts';
import { type Check, isRunnable, type Outcome, type RunnableCheck } from './check.ts';

interface CheckRowProps {
  check: Check;
  outcome: Outcome;
  onPress: (check: RunnableCheck) => void;
}

const icons = {
  waiting: CircleDashed,
  running: CircleDashed,
  pass: CircleCheck,
  fail: CircleAlert,
  later: CircleEllipsis,
  signIn: CircleEllipsis,
  ask: CircleEllipsis,
};

export function CheckRow({ check, outcome: { state, detail }, onPress }: CheckRowProps) {
  const { t } = useTranslation('checks');
  const Icon = icons[state];
  const canPress = isRunnable(check) && check.press !== undefined && state === 'ask';
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3 last:border-0">
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
        {state === 'fail' && isRunnable(check) && <p className="mt-0.5 text-muted">{t(`items.${check.id}.fix`)}</p>}
      </div>
      <p className={cx('figures shrink-0 text-small', state === 'fail' ? 'text-danger' : 'text-muted')}>
        {t(`state.${state}`)}
        {detail !== undefined && state === 'pass' && ` · ${detail}`}
      </p>
      {canPress && (
        <CustomButton kind="secondary" onClick={() => onPress(check)}>
          {t('tryIt')}
        </CustomButton>
      )}
    </li>
  );
}
