import type { Client, Upload } from '@dostar/client';
import { RotateCw, X } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatBytes } from '../../../core/i18n/format-number.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TransferRing } from '../media/transfer-ring.tsx';

export function UploadRow({ client, upload }: { client: Client; upload: Upload }) {
  const { t } = useTranslation('chat');
  const { code } = useLocale();
  const { id, state, sent, size, content } = upload;
  const name = content.kind === 'media' ? content.media.name : t('media.voice');
  const hasFailed = state === 'failed';
  // The source file is no longer readable, so a retry would fail too.
  const isGone = upload.error === 'no_source';
  return (
    <li className="flex items-center gap-3">
      {hasFailed && !isGone && (
        <IconButton
          label={t('media.retry')}
          icon={<RotateCw aria-hidden className="size-5" />}
          onClick={() => void client.attachments.retry(id)}
        />
      )}
      {!hasFailed && (
        <TransferRing progress={size === 0 ? 1 : sent / size} onCancel={() => void client.attachments.cancel(id)} />
      )}
      <span className="min-w-0 grow">
        <span dir="auto" className="block truncate">
          {name}
        </span>
        <span className={`figures block text-small ${hasFailed ? 'text-danger' : 'text-muted'}`}>
          {hasFailed ? t(`media.${reasonOf(upload)}`) : `${formatBytes(code, sent)} / ${formatBytes(code, size)}`}
        </span>
      </span>
      {hasFailed && (
        <IconButton
          label={t('media.cancel')}
          icon={<X aria-hidden className="size-5" />}
          onClick={() => void client.attachments.cancel(id)}
        />
      )}
    </li>
  );
}

/** Why an upload has failed, as the UI explains it. */
function reasonOf({ error, full }: Upload): 'gone' | 'storageFull' | 'serverFull' | 'notSent' {
  if (error === 'no_source') return 'gone';
  if (error === 'insufficient_storage') return full === 'server' ? 'serverFull' : 'storageFull';
  return 'notSent';
}
