import { File as FileIcon, X } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../core/format-number.ts';
import { mediaKind } from '../../../core/preview-message.ts';
import { useLocale } from '../../../core/use-locale.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { CustomInput } from '../../../ui/custom-input.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Switch } from '../../../ui/switch.tsx';

export interface Attachment {
  file: File;
  /** The album's caption stands under its last picture. */
  caption: string | undefined;
  isOriginalSize: boolean;
}

interface AttachDialogProps {
  files: readonly File[];
  maxBytes: number;
  onSend: (attachments: Attachment[]) => void;
  onClose: () => void;
}

/** What was chosen, dropped or pasted, before it goes: leave some out, say something, keep the full size. */
export function AttachDialog({ files, maxBytes, onSend, onClose }: AttachDialogProps) {
  const { t } = useTranslation('chat');
  const { code } = useLocale();
  const [kept, setKept] = useState(files);
  const [caption, setCaption] = useState('');
  const [isOriginalSize, setIsOriginalSize] = useState(false);
  const fitting = kept.filter(({ size }) => size <= maxBytes);
  const hasPictures = fitting.some(({ type }) => type.startsWith('image/'));

  function handleSubmit(event: FormEvent): void {
    event.preventDefault();
    onSend(
      fitting.map((file, index) => ({
        file,
        caption: index === fitting.length - 1 && caption.trim() !== '' ? caption.trim() : undefined,
        isOriginalSize,
      })),
    );
  }

  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={t('attach.title', { count: kept.length })}>
      <form onSubmit={handleSubmit} className="grid grid-cols-1 gap-4">
        <ul className="-mx-1 mt-2 grid max-h-[45dvh] grid-cols-1 gap-2 overflow-y-auto p-1">
          {kept.map((file) => (
            <li key={`${file.name}/${file.size}/${file.lastModified}`} className="flex items-center gap-3">
              <Thumbnail file={file} />
              <span className="min-w-0 grow">
                <span className="block truncate">{file.name}</span>
                <span className={file.size > maxBytes ? 'block text-small text-danger' : 'block text-small text-muted'}>
                  {file.size > maxBytes
                    ? t('attach.tooLarge', { size: formatBytes(code, maxBytes) })
                    : formatBytes(code, file.size)}
                </span>
              </span>
              <IconButton
                label={t('attach.leaveOut', { name: file.name })}
                icon={<X aria-hidden className="size-5" />}
                onClick={() => (kept.length === 1 ? onClose() : setKept(kept.filter((one) => one !== file)))}
              />
            </li>
          ))}
        </ul>
        <CustomInput label={t('attach.caption')} value={caption} onChange={(event) => setCaption(event.target.value)} />
        {hasPictures && (
          <Switch checked={isOriginalSize} onCheckedChange={setIsOriginalSize}>
            {t('attach.original')}
          </Switch>
        )}
        <CustomButton type="submit" disabled={fitting.length === 0}>
          {t('composer.send')}
        </CustomButton>
      </form>
    </Dialog>
  );
}

function Thumbnail({ file }: { file: File }) {
  const [url] = useState(() => (mediaKind(file.type) === 'photo' ? URL.createObjectURL(file) : undefined));
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);
  return (
    <span className="flex size-13 shrink-0 items-center justify-center overflow-hidden rounded-control bg-surface-2 text-muted">
      {url === undefined ? (
        <FileIcon aria-hidden className="size-6" />
      ) : (
        <img src={url} alt="" className="size-full object-cover" />
      )}
    </span>
  );
}
