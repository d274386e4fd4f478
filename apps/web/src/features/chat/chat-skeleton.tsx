import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Delays the skeleton, so a fast load does not flash it. */
const DELAY_MS = 150;
const widths = ['w-3/5', 'w-2/5', 'w-1/2', 'w-1/3'] as const;

export function ChatSkeleton() {
  const { t } = useTranslation('chat');
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="flex grow flex-col">
      <span className="sr-only">{t('timeline.loading')}</span>
      <div className="flex min-h-15.5 items-center gap-3 border-b border-line bg-surface px-4">
        {isShown && (
          <>
            <Skeleton shape="circle" />
            <Skeleton className="w-40" />
          </>
        )}
      </div>
      {isShown && (
        <div className="mt-auto grid gap-3 p-6">
          {widths.map((width, index) => (
            <Skeleton key={width} shape="block" className={`h-11 ${width} ${index % 2 ? 'justify-self-end' : ''}`} />
          ))}
        </div>
      )}
    </div>
  );
}
