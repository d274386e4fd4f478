import type { DeviceList } from '@dostar/client/account';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { explainError } from '../../../core/lib/explain-error.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { loadAccountSettings } from '../../../core/session/load-account.ts';
import { pageMeta } from '../../../core/lib/page-meta.ts';
import { useLoaded } from '../../../core/lib/use-loaded.ts';
import { withReauthentication } from '../../../core/reauthentication/reauthentication.ts';
import { requestTexts } from '../../../core/i18n/texts.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { settingsCardClass } from '../settings-card.tsx';
import { SettingsHeading } from '../settings-heading.tsx';
import { CompareCard } from './compare-card.tsx';
import { DeviceRow } from './device-row.tsx';

await requestTexts('settings', 'contacts');

export const meta = pageMeta('settings', 'devices');

type Device = DeviceList[number];

async function fetchDevices(): Promise<DeviceList> {
  return (await loadAccountSettings()).listDevices();
}

/** Signed-in devices with names and times, without locations. */
export default function DevicesPage() {
  const { t } = useTranslation('settings');
  const { value: devices, setValue: setDevices } = useLoaded(fetchDevices, t('common.offline'));
  const [asking, setAsking] = useState<Device | 'others'>();
  const [isWaiting, setIsWaiting] = useState(false);

  async function handleEnd(): Promise<void> {
    setIsWaiting(true);
    try {
      const accountSettings = await loadAccountSettings();
      await withReauthentication(() => accountSettings.endDevices(asking === 'others' ? undefined : asking?.id));
      const left = await accountSettings.listDevices();
      setDevices(left);
      if (asking === 'others' && left.length > 1) showFeedback('error', t('common.older'));
      else showFeedback('success', t('devices.ended'), successDuration);
      setAsking(undefined);
    } catch (error) {
      explainError(error, { forbidden: refuse, other: t('common.offline') });
    } finally {
      setIsWaiting(false);
    }
  }

  function refuse(): void {
    setAsking(undefined);
    showFeedback('error', t('common.older'));
  }

  const others = devices?.filter(({ isThis }) => !isThis) ?? [];
  return (
    <>
      <SettingsHeading title={t('pages.devices.title')} lead={t('pages.devices.description')} />
      <section className={settingsCardClass} aria-label={t('pages.devices.title')} aria-busy={devices === undefined}>
        {devices === undefined ? (
          <Skeleton className="h-24" />
        ) : (
          <ul className="divide-y divide-line">
            {devices
              .toSorted((one, other) => Number(other.isThis) - Number(one.isThis))
              .map((device) => (
                <DeviceRow key={device.id} device={device} onEnd={() => setAsking(device)} />
              ))}
          </ul>
        )}
        {others.length > 1 && (
          <p className="mt-4 border-t border-line pt-4">
            <CustomButton kind="secondary" onClick={() => setAsking('others')}>
              {t('devices.endOthers')}
            </CustomButton>
          </p>
        )}
      </section>
      {others.length > 0 && <CompareCard />}
      <p className="text-small text-muted">{t('devices.note')}</p>
      {asking !== undefined && (
        <Dialog
          isOpen
          onOpenChange={() => setAsking(undefined)}
          title={asking === 'others' ? t('devices.askOthers') : t('devices.ask')}
          description={t('devices.consequence')}
          actions={
            <>
              <CustomButton kind="secondary" onClick={() => setAsking(undefined)}>
                {t('common.cancel')}
              </CustomButton>
              <CustomButton kind="danger" isWaiting={isWaiting} onClick={() => void handleEnd()}>
                {t('devices.end')}
              </CustomButton>
            </>
          }
        />
      )}
    </>
  );
}
