import type { DeviceTransfer } from '@dostar/protocol/contract/device-transfer';
import type { AccountId } from '@dostar/protocol/ids';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { stripLocale } from '../../core/i18n/locale.ts';
import { useMessenger } from '../../core/messenger/messenger.ts';
import { paths } from '../../core/lib/paths.ts';
import { wantTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { useKeyAnswer } from '../use-key-answer.ts';
import { GiveKeyDialog } from './give-key-dialog.tsx';
import { LockDialog } from './lock-dialog.tsx';
import { Notice } from './notice.tsx';
import { isVaultOverwritten, OverwrittenNotice } from './overwritten-notice.tsx';
import { useNews } from './use-alerts.ts';

await wantTexts('recovery');

/** Tells a signed-in person what happens to their account elsewhere. At most one thing at a time: the gravest. */
export function NewsDesk({ account }: { account: AccountId }) {
  const { t } = useTranslation('recovery');
  const local = useLocalPath();
  const path = stripLocale(useLocation().pathname);
  const { latest, dismiss } = useNews(account);
  const client = useMessenger();
  const isOverwritten = useKeyAnswer(client, isVaultOverwritten, false);
  const [isLocking, setIsLocking] = useState(false);
  // Kept to its end: once the key is on its way the server lists it no more, and there are still digits to be read.
  const [begun, setBegun] = useState<DeviceTransfer>();
  const [answered, setAnswered] = useState<string>();

  if (isLocking) return <LockDialog onClose={() => setIsLocking(false)} onLocked={dismiss} />;
  if (!latest) return null;
  const request = begun ?? (latest.isOpen ? latest.requests.find(({ id }) => id !== answered) : undefined);
  const [signIn] = latest.signIns;
  if (request) {
    return (
      <GiveKeyDialog
        key={request.id}
        account={account}
        request={request}
        isMine={begun !== undefined}
        onMine={() => setBegun(request)}
        onClose={() => {
          setBegun(undefined);
          setAnswered(request.id);
        }}
        onDenied={() => {
          setAnswered(request.id);
          setIsLocking(true);
        }}
      />
    );
  }
  if (latest.reset) {
    return (
      <Notice title={t('news.reset.title')} text={t('news.reset.text')}>
        <CustomButton onClick={dismiss}>{t('news.itWasMe')}</CustomButton>
        <CustomButton kind="danger" onClick={() => setIsLocking(true)}>
          {t('news.notMe')}
        </CustomButton>
      </Notice>
    );
  }
  if (!latest.isOpen && path !== paths.unlock) {
    return (
      <Notice title={t('news.locked.title')} text={t('news.locked.text')}>
        <Link to={local(paths.unlock)} className={buttonClass({})}>
          {t('news.locked.open')}
        </Link>
      </Notice>
    );
  }
  if (client && isOverwritten) return <OverwrittenNotice client={client} />;
  if (signIn) {
    return (
      <Notice title={t('news.signIn.title')} text={signIn.client || t('news.unknownDevice')}>
        <CustomButton onClick={dismiss}>{t('news.itWasMe')}</CustomButton>
        <Link to={local(paths.settingsDevices)} onClick={dismiss} className={buttonClass({ kind: 'secondary' })}>
          {t('news.signIn.devices')}
        </Link>
      </Notice>
    );
  }
  return null;
}
