import { useEffect, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { enableNotifications, disableNotifications } from '../../../core/notifications/notification-permission.ts';
import { pageMeta } from '../../../core/lib/page-meta.ts';
import type { PushState } from '../../../core/notifications/push.ts';
import { changeSettings, type Settings, useSettings } from '../../../core/lib/settings.ts';
import { requestTexts } from '../../../core/i18n/texts.ts';
import { productName } from '../../../product.ts';
import { Switch } from '../../../ui/switch.tsx';
import { SettingsCard } from '../settings-card.tsx';
import { SettingsHeading } from '../settings-heading.tsx';
import { InstallCard } from './install-card.tsx';
import { PushLine } from './push-line.tsx';
import { PushTest } from './push-test.tsx';

await requestTexts('settings', 'preferences', 'app');

export const meta = pageMeta('preferences', 'notifications');

const isKnown = typeof Notification !== 'undefined';

/** Also updates the service worker's copy of the settings. */
async function change(settings: Partial<Settings>): Promise<void> {
  changeSettings(settings);
  await (await import('../../../core/notifications/push.ts')).updateServiceWorkerState();
}

/** Notification settings of this browser. The browser's own permission overrides them. */
export default function NotificationsPage() {
  const { t } = useTranslation('preferences');
  const { t: tApp } = useTranslation('app');
  const { isNotifying, hasWordsInNotices, hasSoundHere, hasSoundAway } = useSettings();
  const [isDenied, setIsDenied] = useState(isKnown && Notification.permission === 'denied');
  const [push, setPush] = useState<PushState>();
  const product = productName;
  const isOn = isNotifying && !isDenied;

  // Reads the current state: another tab may have subscribed, or the subscription may be lost.
  useEffect(() => {
    if (isOn)
      void import('../../../core/notifications/push.ts').then(async ({ subscribePush }) =>
        setPush(await subscribePush()),
      );
  }, [isOn]);

  async function handleNotify(isWanted: boolean): Promise<void> {
    if (!isWanted) return disableNotifications();
    setIsDenied((await enableNotifications()) === 'denied');
  }

  return (
    <>
      <SettingsHeading title={t('pages.notifications.title')} lead={t('pages.notifications.description')} />
      <SettingsCard title={t('notify.title')}>
        <Switch
          hint={t('notify.onHint', { product })}
          checked={isOn}
          disabled={!isKnown}
          onCheckedChange={(isWanted) => void handleNotify(isWanted)}
        >
          {t('notify.on')}
        </Switch>
        <Switch
          hint={t('notify.wordsHint')}
          checked={hasWordsInNotices}
          disabled={!isNotifying}
          onCheckedChange={(isWanted) => void change({ hasWordsInNotices: isWanted })}
        >
          {t('notify.words')}
        </Switch>
        <div role="status">
          {isDenied && <p className="mt-2 text-danger">{t('notify.denied')}</p>}
          {!isKnown && <p className="mt-2 text-muted">{t('notify.none')}</p>}
          {isOn && push !== undefined && <PushLine push={push} />}
        </div>
        {isOn && push === 'on' && <PushTest />}
      </SettingsCard>
      <SettingsCard title={tApp('sounds.title')}>
        <Switch
          hint={tApp('sounds.hereHint', { product })}
          checked={hasSoundHere}
          onCheckedChange={(isWanted) => void change({ hasSoundHere: isWanted })}
        >
          {tApp('sounds.here')}
        </Switch>
        <Switch
          hint={tApp('sounds.awayHint')}
          checked={hasSoundAway}
          onCheckedChange={(isWanted) => void change({ hasSoundAway: isWanted })}
        >
          {tApp('sounds.away')}
        </Switch>
      </SettingsCard>
      <InstallCard />
      <p className="text-small text-muted">
        {t('notify.muted')} {tApp('push.privacy')}
      </p>
    </>
  );
}
