import type { ChatSummary } from '@dostar/client';
import { Bell } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { enableNotifications, useNotificationPermission } from '../../core/notifications/notification-permission.ts';
import { changeSettings, useSettings } from '../../core/lib/settings.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { CustomButton } from '../../ui/custom-button.tsx';

await requestTexts('app');

/** Asks once whether to show notifications, after the first incoming message. */
export function NotificationPrompt({ chats, account }: { chats: readonly ChatSummary[]; account: string }) {
  const { t } = useTranslation('app');
  const id = useId();
  const { isNotifying, wasAskedToNotify } = useSettings();
  const permission = useNotificationPermission();
  const hasMessages = chats.some(({ last }) => last.sender !== account);

  if (permission !== 'default' || !hasMessages || isNotifying || wasAskedToNotify) return null;
  return (
    <section aria-labelledby={id} className="m-3 shrink-0 rounded-card border border-line bg-accent-soft p-4">
      <div className="flex gap-3">
        <Bell aria-hidden className="mt-0.5 size-6 shrink-0 text-accent" />
        <div className="min-w-0">
          <h2 id={id} className="font-semibold">
            {t('ask.title')}
          </h2>
          <p className="mt-0.5 text-small text-muted">{t('ask.text')}</p>
        </div>
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <CustomButton onClick={() => void enableNotifications()}>{t('ask.yes')}</CustomButton>
        <CustomButton kind="secondary" onClick={() => changeSettings({ wasAskedToNotify: true })}>
          {t('ask.no')}
        </CustomButton>
      </div>
    </section>
  );
}
