import { useTranslation } from '../core/i18n/use-translation.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { Frame } from './frame.tsx';

const rows = ['w-3/4', 'w-2/3', 'w-4/5', 'w-1/2', 'w-3/5'];

export function LoadingPage() {
  const { t } = useTranslation('shell');
  return (
    <Frame width="column">
      <p role="status" className="sr-only">
        {t('waiting.label')}
      </p>
      <div className="flex flex-col gap-5 py-6">
        {rows.map((width) => (
          <div key={width} className="flex items-center gap-3">
            <Skeleton shape="circle" />
            <div className="flex grow flex-col gap-2">
              <Skeleton className="w-1/3" />
              <Skeleton className={width} />
            </div>
          </div>
        ))}
      </div>
    </Frame>
  );
}
