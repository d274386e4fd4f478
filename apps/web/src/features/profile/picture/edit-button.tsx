import type { PictureKind, Profile } from '@dostar/protocol/contract/profile';
import { Camera } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';

const PictureDialog = lazy(async () => ({ default: (await import('./picture-dialog.tsx')).PictureDialog }));

/** Opens the picture dialog, which is loaded on demand. */
export function EditButton({ kind, profile }: { kind: PictureKind; profile: Profile }) {
  const { t } = useTranslation('profile');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label={t(`picture.${kind}`)}
        title={t(`picture.${kind}`)}
        onClick={() => setIsOpen(true)}
        className="flex size-11 items-center justify-center rounded-round border-3 border-surface bg-accent text-on-accent transition-colors hover:bg-accent-strong"
      >
        <Camera aria-hidden className="size-5" />
      </button>
      {isOpen && (
        <Suspense>
          <PictureDialog kind={kind} profile={profile} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
