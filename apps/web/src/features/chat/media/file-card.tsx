import { Download, File as FileIcon } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatBytes } from '../../../core/i18n/format-number.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { TransferRing } from './transfer-ring.tsx';
import type { Transfer } from './transfer.ts';

interface FileCardProps {
  name: string;
  size: number;
  transfer: Transfer;
  onOpen: () => void;
  onCancel: () => void;
}

export function FileCard({ name, size, transfer, onOpen, onCancel }: FileCardProps) {
  const { t } = useTranslation('chat');
  const { code } = useLocale();
  return (
    <div className="flex items-center gap-3">
      {transfer.state === 'moving' ? (
        <TransferRing progress={transfer.progress} onCancel={onCancel} />
      ) : (
        <button
          type="button"
          aria-label={t('media.save', { name })}
          onClick={onOpen}
          className="flex size-11 shrink-0 items-center justify-center rounded-round bg-accent text-on-accent"
        >
          {transfer.state === 'here' ? (
            <FileIcon aria-hidden className="size-5" />
          ) : (
            <Download aria-hidden className="size-5" />
          )}
        </button>
      )}
      <span className="min-w-0">
        <span dir="auto" className="block truncate font-semibold">
          {name}
        </span>
        <span className="figures block text-small opacity-80">
          {transfer.state === 'failed' ? t('media.failed') : formatBytes(code, size)}
        </span>
      </span>
    </div>
  );
}
