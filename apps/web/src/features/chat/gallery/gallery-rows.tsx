import type { ReactNode } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';

interface GalleryRowsProps {
  /** Undefined until the local database is read. */
  rows: readonly ReactNode[] | undefined;
  /** Text for an empty list. */
  empty: string;
  hasMore: boolean;
  onMore: () => void;
  isGrid?: boolean;
}

/** List or grid of the gallery with its empty state and a "show more" button. */
export function GalleryRows({ rows, empty, hasMore, onMore, isGrid = false }: GalleryRowsProps) {
  const { t } = useTranslation('chat');
  if (rows === undefined) return null;
  return (
    <>
      {rows.length === 0 && !hasMore && <p className="py-10 text-center text-muted">{empty}</p>}
      <ul className={isGrid ? 'grid grid-cols-3 gap-1' : 'grid grid-cols-1 gap-1'}>{rows}</ul>
      {hasMore && (
        <div className="mt-3 flex justify-center">
          <CustomButton kind="quiet" onClick={onMore}>
            {t('gallery.more')}
          </CustomButton>
        </div>
      )}
    </>
  );
}
