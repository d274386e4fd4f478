import { isDecodable } from '@dostar/protocol/content/picture-size';
import { Clapperboard, File as FileIcon, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatBytes } from '../../../core/i18n/format-number.ts';
import { mediaKind } from '../../../core/messenger/preview-message.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { VideoCheck } from '../video/use-video-checks.ts';
import { isPhoto } from '../media/is-photo.ts';

interface AttachRowProps {
  file: File;
  maxBytes: number;
  /** Videos only. */
  check: VideoCheck | undefined;
  isUnchanged: boolean;
  onUnchanged: (isUnchanged: boolean) => void;
  onLeaveOut: () => void;
}

export function AttachRow({ file, maxBytes, check, isUnchanged, onUnchanged, onLeaveOut }: AttachRowProps) {
  const { t } = useTranslation('chat');
  const { code } = useLocale();
  const size = formatBytes(code, file.size);
  const isTooLarge = file.size > maxBytes;
  const isCleaned = check !== undefined || isPhoto(file);
  const note = check === 'checking' ? t('attach.checking') : isCleaned ? undefined : t('attach.unchanged');
  const isUncleanable = check === 'uncleanable' && !isTooLarge;
  return (
    <li>
      <div className="flex items-center gap-3">
        <Thumbnail file={file} isVideoFile={check !== undefined} />
        <span className="min-w-0 grow">
          <span className="block truncate">{file.name}</span>
          <span className={isTooLarge ? 'block text-small text-danger' : 'block text-small text-muted'}>
            {isTooLarge ? t('attach.tooLarge', { size: formatBytes(code, maxBytes) }) : size}
            {note !== undefined && !isTooLarge && ` · ${note}`}
          </span>
        </span>
        <IconButton
          label={t('attach.leaveOut', { name: file.name })}
          icon={<X aria-hidden className="size-5" />}
          onClick={onLeaveOut}
        />
      </div>
      {isUncleanable && (
        <div className="mt-1">
          <p role="alert" className="text-small text-danger">
            {t('attach.uncleanable')}
          </p>
          <Checkbox checked={isUnchanged} onCheckedChange={onUnchanged}>
            {t('attach.asFile')}
          </Checkbox>
        </div>
      )}
    </li>
  );
}

function Thumbnail({ file, isVideoFile }: { file: File; isVideoFile: boolean }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (mediaKind(file.type) !== 'photo') return undefined;
    let made: string | undefined;
    let isGone = false;
    void isDecodable(file).then((isShown) => {
      if (!isShown || isGone) return;
      made = URL.createObjectURL(file);
      setUrl(made);
    });
    return () => {
      isGone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [file]);
  const Icon = isVideoFile ? Clapperboard : FileIcon;
  return (
    <span className="flex size-13 shrink-0 items-center justify-center overflow-hidden rounded-control bg-surface-2 text-muted">
      {url === undefined ? (
        <Icon aria-hidden className="size-6" />
      ) : (
        <img src={url} alt="" className="size-full object-cover" />
      )}
    </span>
  );
}
