import type { PictureKind, Profile } from '@dostar/protocol/contract/profile';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatPercent } from '../../../core/i18n/format-number.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FileDrop } from '../../../ui/file-drop.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { CropFrame } from './crop-frame.tsx';
import { frames, usePictureEdit } from './use-picture-edit.ts';

interface PictureDialogProps {
  kind: PictureKind;
  profile: Profile;
  onClose: () => void;
}

export function PictureDialog({ kind, profile, onClose }: PictureDialogProps) {
  const { t } = useTranslation('profile');
  const { code } = useLocale();
  const edit = usePictureEdit(kind, profile, onClose);
  const { picture, progress } = edit;
  const isBusy = progress !== undefined;
  const hasOne = profile.personal.value[kind] !== null;
  const share = Math.round((progress ?? 0) * 100);
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t(`picture.${kind}`)}
      description={t('picture.hint')}
      actions={
        <>
          {hasOne && !picture && (
            <CustomButton kind="secondary" isWaiting={isBusy} onClick={() => void edit.remove()}>
              {t('picture.remove')}
            </CustomButton>
          )}
          <CustomButton kind="secondary" onClick={isBusy ? edit.cancel : onClose}>
            {t('picture.cancel')}
          </CustomButton>
          {picture && (
            <CustomButton isWaiting={isBusy} onClick={() => void edit.save()}>
              {t('picture.save')}
            </CustomButton>
          )}
        </>
      }
    >
      <div className="mt-5">
        {picture ? (
          <CropFrame
            picture={picture}
            frame={frames[kind]}
            isRound={kind === 'picture'}
            view={edit.view}
            onChange={edit.setView}
          />
        ) : (
          <FileDrop
            label={t('picture.choose')}
            accept="image/*"
            disabled={isBusy}
            onFiles={([file]) => void edit.choose(file)}
          />
        )}
        {edit.isUnreadable && (
          <p role="alert" className="mt-3 text-danger">
            {t('picture.unreadable')}
          </p>
        )}
        {isBusy && (
          <div className="mt-4">
            <ProgressBar value={share} label={t('picture.sending')} text={formatPercent(code, share)} />
          </div>
        )}
      </div>
    </Dialog>
  );
}
