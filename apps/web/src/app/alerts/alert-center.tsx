import type { DeviceTransfer } from '@dostar/protocol/contract/device-transfer';
import type { AccountId } from '@dostar/protocol/ids';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link, useLocation } from 'react-router';
import { stripLocale } from '../../core/i18n/locale.ts';
import { useMessenger } from '../../core/messenger/messenger.ts';
import { paths } from '../../core/lib/paths.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { useKeysQuery } from '../use-keys-query.ts';
import { ApproveDeviceDialog } from './approve-device-dialog.tsx';
import { LockAccountDialog } from './lock-account-dialog.tsx';
import { AlertCard } from './alert-card.tsx';
import { isVaultOverwritten, VaultOverwrittenAlert } from './vault-overwritten-alert.tsx';
import { useAlerts } from './use-alerts.ts';

await requestTexts('recovery');

/** Shows a signed-in person events of their account on other devices: one alert at a time, the most serious first. */
export function AlertCenter({ account }: { account: AccountId }) {
  const { t } = useTranslation('recovery');
  const local = useLocalPath();
  const path = stripLocale(useLocation().pathname);
  const { alerts, dismiss } = useAlerts(account);
  const client = useMessenger();
  const isOverwritten = useKeysQuery(client, isVaultOverwritten, false);
  const [isLocking, setIsLocking] = useState(false);
  // Kept until its end: the server no longer lists the request once the key is sent, but the person still reads digits.
  const [startedRequest, setStartedRequest] = useState<DeviceTransfer>();
  const [answered, setAnswered] = useState<string>();

  if (isLocking) return <LockAccountDialog onClose={() => setIsLocking(false)} onLocked={dismiss} />;
  if (!alerts) return null;
  const request = startedRequest ?? (alerts.isOpen ? alerts.requests.find(({ id }) => id !== answered) : undefined);
  const [signIn] = alerts.signIns;
  if (request) {
    return (
      <ApproveDeviceDialog
        key={request.id}
        account={account}
        request={request}
        isMine={startedRequest !== undefined}
        onMine={() => setStartedRequest(request)}
        onClose={() => {
          setStartedRequest(undefined);
          setAnswered(request.id);
        }}
        onDenied={() => {
          setAnswered(request.id);
          setIsLocking(true);
        }}
      />
    );
  }
  if (alerts.reset) {
    return (
      <AlertCard title={t('news.reset.title')} text={t('news.reset.text')}>
        <CustomButton onClick={dismiss}>{t('news.itWasMe')}</CustomButton>
        <CustomButton kind="danger" onClick={() => setIsLocking(true)}>
          {t('news.notMe')}
        </CustomButton>
      </AlertCard>
    );
  }
  if (!alerts.isOpen && path !== paths.unlock) {
    return (
      <AlertCard title={t('news.locked.title')} text={t('news.locked.text')}>
        <Link to={local(paths.unlock)} className={buttonClass({})}>
          {t('news.locked.open')}
        </Link>
      </AlertCard>
    );
  }
  if (client && isOverwritten) return <VaultOverwrittenAlert client={client} />;
  if (signIn) {
    return (
      <AlertCard title={t('news.signIn.title')} text={signIn.client || t('news.unknownDevice')}>
        <CustomButton onClick={dismiss}>{t('news.itWasMe')}</CustomButton>
        <Link to={local(paths.settingsDevices)} onClick={dismiss} className={buttonClass({ kind: 'secondary' })}>
          {t('news.signIn.devices')}
        </Link>
      </AlertCard>
    );
  }
  return null;
}
