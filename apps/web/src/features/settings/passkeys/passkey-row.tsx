import type { Passkey } from '@dostar/client/passkeys';
import { EllipsisVertical, Fingerprint, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatDate } from '../../../core/i18n/format-date.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Menu } from '../../../ui/menu.tsx';

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

export function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { t } = useTranslation('passkeys');
  const { code } = useLocale();
  const { name, createdAt, lastUsedAt, unlocks } = passkey;
  const items = [
    { label: t('row.rename'), icon: <Pencil aria-hidden className="size-5" />, onSelect: onRename },
    {
      label: t('row.remove'),
      icon: <Trash2 aria-hidden className="size-5" />,
      isDangerous: true,
      onSelect: onRemove,
    },
  ];
  return (
    <li className="flex items-center gap-4 py-4 first:pt-0">
      <span className="flex size-11 shrink-0 items-center justify-center rounded-control bg-accent-soft text-accent">
        <Fingerprint aria-hidden className="size-5" />
      </span>
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <span className="min-w-0 break-words">{name}</span>
          <Badge kind={unlocks ? 'ok' : 'muted'}>{unlocks ? t('row.unlocks') : t('row.signsIn')}</Badge>
        </p>
        <p className="text-small text-muted">
          {lastUsedAt === null
            ? t('row.since', { date: formatDate(code, new Date(createdAt)) })
            : t('row.lastUsed', { date: formatDate(code, new Date(lastUsedAt)) })}
        </p>
      </div>
      <Menu
        label={t('row.more', { name })}
        icon={<EllipsisVertical aria-hidden className="size-5" />}
        listItems={() => items}
      />
    </li>
  );
}
