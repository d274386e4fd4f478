import { useTranslation } from '../../core/i18n/use-translation.ts';
import { formatPercent } from '../../core/i18n/format-number.ts';
import { useLocale } from '../../core/i18n/use-locale.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { ProgressRing } from '../../ui/progress-ring.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Demo, DemoGroup, DemoRow } from './demo.tsx';

export function WaitDemos() {
  const { t } = useTranslation('components');
  const { code } = useLocale();
  return (
    <DemoGroup title={t('groups.wait')}>
      <Demo name="skeleton" text={t('parts.skeleton')}>
        <div className="flex items-center gap-3">
          <Skeleton shape="circle" />
          <div className="flex grow flex-col gap-2">
            <Skeleton className="w-2/5" />
            <Skeleton className="w-4/5" />
          </div>
        </div>
        <Skeleton shape="block" className="h-20" />
      </Demo>
      <Demo name="progress" text={t('parts.progressBar')}>
        <ProgressBar value={25} label={t('demo.upload')} text={formatPercent(code, 25)} />
        <ProgressBar value={80} label={t('demo.upload')} text={formatPercent(code, 80)} />
        <p className="text-small text-muted">{t('parts.progressRing')}</p>
        <DemoRow>
          <span className="flex items-center gap-4 text-accent">
            <ProgressRing size="small" label={t('demo.loading')} />
            <ProgressRing label={t('demo.loading')} />
            <ProgressRing value={65} size="large" label={t('demo.upload')} />
          </span>
        </DemoRow>
      </Demo>
    </DemoGroup>
  );
}
