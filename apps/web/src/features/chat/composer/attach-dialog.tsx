import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatBytes } from '../../../core/i18n/format-number.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { CustomInput } from '../../../ui/custom-input.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Radio, RadioGroup } from '../../../ui/radio.tsx';
import { Switch } from '../../../ui/switch.tsx';
import type { Attachment } from '../attachment.ts';
import { type VideoCheck, useVideoChecks } from '../video/use-video-checks.ts';
import { AttachRow } from './attach-row.tsx';

interface AttachDialogProps {
  files: readonly File[];
  maxBytes: number;
  onSend: (attachments: Attachment[]) => void;
  onClose: () => void;
}

/** Review of chosen, dropped or pasted files before sending: remove files, add a caption, choose the quality. */
export function AttachDialog({ files, maxBytes, onSend, onClose }: AttachDialogProps) {
  const { t } = useTranslation('chat');
  const { code } = useLocale();
  const [kept, setKept] = useState(files);
  const [caption, setCaption] = useState('');
  const [isOriginalSize, setIsOriginalSize] = useState(false);
  const [videoQuality, setVideoQuality] = useState<'original' | 'smaller'>('original');
  const [unchanged, setUnchanged] = useState<readonly File[]>([]);
  const checks = useVideoChecks(files);
  const fitting = kept.filter(
    (file) => file.size <= maxBytes && (checks.get(file) !== 'uncleanable' || unchanged.includes(file)),
  );
  const hasPictures = fitting.some(({ type }) => type.startsWith('image/'));
  const shrinkable = fitting.filter((file) => smallerBytes(checks.get(file)) !== undefined);
  const sum = (sizes: (number | undefined)[]) =>
    formatBytes(
      code,
      sizes.reduce<number>((a, b) => a + (b ?? 0), 0),
    );

  function handleSubmit(event: FormEvent): void {
    event.preventDefault();
    onSend(
      fitting.map((file, index) => ({
        file,
        caption: index === fitting.length - 1 && caption.trim() !== '' ? caption.trim() : undefined,
        isOriginalSize,
        isSmaller: videoQuality === 'smaller' && shrinkable.includes(file),
        isUnchanged: unchanged.includes(file),
      })),
    );
  }

  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={t('attach.title', { count: kept.length })}>
      <form onSubmit={handleSubmit} className="grid grid-cols-1 gap-4">
        <ul className="-mx-1 mt-2 grid max-h-[45dvh] grid-cols-1 gap-2 overflow-y-auto p-1">
          {kept.map((file) => (
            <AttachRow
              key={`${file.name}/${file.size}/${file.lastModified}`}
              file={file}
              maxBytes={maxBytes}
              check={checks.get(file)}
              isUnchanged={unchanged.includes(file)}
              onUnchanged={(isOn) =>
                setUnchanged(isOn ? [...unchanged, file] : unchanged.filter((one) => one !== file))
              }
              onLeaveOut={() => (kept.length === 1 ? onClose() : setKept(kept.filter((one) => one !== file)))}
            />
          ))}
        </ul>
        <CustomInput label={t('attach.caption')} value={caption} onChange={(event) => setCaption(event.target.value)} />
        {hasPictures && (
          <Switch checked={isOriginalSize} onCheckedChange={setIsOriginalSize}>
            {t('attach.original')}
          </Switch>
        )}
        {shrinkable.length > 0 && (
          <RadioGroup label={t('attach.quality')} value={videoQuality} onValueChange={setVideoQuality}>
            <Radio value="original">
              {t('attach.originalFilm', { size: sum(shrinkable.map(({ size }) => size)) })}
            </Radio>
            <Radio value="smaller">
              {t('attach.smallerFilm', { size: sum(shrinkable.map((file) => smallerBytes(checks.get(file)))) })}
            </Radio>
          </RadioGroup>
        )}
        <CustomButton
          type="submit"
          disabled={fitting.length === 0}
          isWaiting={fitting.some((file) => checks.get(file) === 'checking')}
        >
          {t('composer.send')}
        </CustomButton>
      </form>
    </Dialog>
  );
}

function smallerBytes(check: VideoCheck | undefined): number | undefined {
  return typeof check === 'object' ? check.smallerBytes : undefined;
}
