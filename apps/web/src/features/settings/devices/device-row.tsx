import type { DeviceList } from '@dostar/client/account';
import { Monitor, Smartphone } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatDate } from '../../../core/i18n/format-date.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { Badge } from '../../../ui/badge.tsx';
import { CustomButton } from '../../../ui/custom-button.tsx';

interface DeviceRowProps {
  device: DeviceList[number];
  onEnd: () => void;
}

export function DeviceRow({ device, onEnd }: DeviceRowProps) {
  const { t } = useTranslation('settings');
  const { code } = useLocale();
  const Icon = /Android|iPhone|iPad/.test(device.client) ? Smartphone : Monitor;
  const name = device.client || t('devices.unknown');
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4 first:pt-0 last:pb-0">
      <span className="flex size-11 shrink-0 items-center justify-center rounded-control bg-accent-soft text-accent">
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="min-w-40 grow basis-0">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {name}
          {device.isThis && <Badge kind="ok">{t('devices.this')}</Badge>}
        </p>
        <p className="text-small text-muted">
          {t('devices.since', { date: formatDate(code, new Date(device.createdAt)) })}
        </p>
      </div>
      {!device.isThis && (
        <CustomButton kind="secondary" aria-label={t('devices.endNamed', { name })} onClick={onEnd}>
          {t('devices.end')}
        </CustomButton>
      )}
    </li>
  );
}
