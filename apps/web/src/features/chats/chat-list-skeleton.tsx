import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

const DELAY_MS = 150;
const rows = ['w-2/3', 'w-1/2', 'w-3/5', 'w-2/5', 'w-1/2'] as const;

export function ChatListSkeleton() {
  const { t } = useTranslation('chats');
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="grow">
      <span className="sr-only">{t('loading')}</span>
      {isShown &&
        rows.map((width, index) => (
          // The skeletons never change their order.
          <div key={index} className="mx-2 flex h-18 items-center gap-3 px-3">
            <Skeleton shape="circle" className="size-13" />
            <span className="grid grow gap-2">
              <Skeleton className="w-1/3" />
              <Skeleton className={width} />
            </span>
          </div>
        ))}
    </div>
  );
}
