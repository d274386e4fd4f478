import type { PictureKind, Profile } from '@dostar/protocol/contract/profile';
import type { BlobId } from '@dostar/protocol/contract/blobs';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { codeOf } from '../../../core/lib/failure.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { readSignedInId } from '../../../core/messenger/profile-client.ts';
import { saveGroup } from '../own-profile.ts';
import { reasonOf } from '../reason-of.ts';
import { type Size, type View, wholeView } from './crop.ts';
import { writeCrop } from './draw-crop.ts';
import { rememberPicture } from './own-picture.ts';
import { readPicture } from './read-picture.ts';
import { uploadPicture } from './upload-picture.ts';

export const frames: Record<PictureKind, Size> = {
  picture: { width: 512, height: 512 },
  background: { width: 1500, height: 500 },
};

/** Chooses, crops, uploads and saves one picture. `progress` is the share of the upload, 0 to 1. */
export function usePictureEdit(kind: PictureKind, profile: Profile, onDone: () => void) {
  const { t } = useTranslation('profile');
  const [picture, setPicture] = useState<ImageBitmap>();
  const [view, setView] = useState<View>(wholeView);
  const [isUnreadable, setIsUnreadable] = useState(false);
  const [progress, setProgress] = useState<number>();
  const leaving = useRef<AbortController>(undefined);

  useEffect(() => () => leaving.current?.abort(), []);

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      setPicture(await readPicture(file));
      setView(wholeView);
      setIsUnreadable(false);
    } catch {
      setIsUnreadable(true);
    }
  }

  async function keep(blob: BlobId | null): Promise<void> {
    const { audience, value } = profile.personal;
    await saveGroup('personal', { audience, value: { ...value, [kind]: blob } });
    showFeedback('success', t('feedback.savedWithImage'), successDuration);
    onDone();
  }

  /** `isOver`: the user has closed the dialog, so no error is shown. */
  function complain(error: unknown, isOver = false): void {
    if (isOver) return;
    showFeedback('error', t('feedback.failed', { message: describe(error) }));
  }

  function describe(error: unknown): string {
    if (codeOf(error) !== undefined) return t(`reasons.${reasonOf(error)}`);
    return readSignedInId() === undefined ? t('feedback.noUserState') : t('feedback.fileNotUploaded');
  }

  async function save(): Promise<void> {
    if (!picture) return;
    const stop = new AbortController();
    leaving.current = stop;
    setProgress(0);
    try {
      const bytes = await writeCrop(picture, view, frames[kind]);
      const blob = await uploadPicture(bytes, setProgress, stop.signal);
      rememberPicture(blob, bytes);
      await keep(blob);
    } catch (error) {
      complain(error, stop.signal.aborted);
    } finally {
      setProgress(undefined);
    }
  }

  async function remove(): Promise<void> {
    setProgress(1);
    await keep(null)
      .catch(complain)
      .finally(() => setProgress(undefined));
  }

  return {
    picture,
    view,
    setView,
    isUnreadable,
    progress,
    choose,
    save,
    remove,
    cancel: () => leaving.current?.abort(),
  };
}
