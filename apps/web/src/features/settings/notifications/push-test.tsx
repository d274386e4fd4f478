import { Bell } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { paths } from '../../../core/lib/paths.ts';
import { useLocalPath } from '../../../core/i18n/use-locale.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { TextLink } from '../../../ui/text-link.tsx';

type Step = 'idle' | 'waiting' | 'sent' | 'failed';

/** Sends a test notification through the server, the push service and the service worker. */
export function PushTest() {
  const { t } = useTranslation('app');
  const local = useLocalPath();
  const [step, setStep] = useState<Step>('idle');

  async function handleTest(): Promise<void> {
    setStep('waiting');
    const { testPush } = await import('../../../core/notifications/push.ts');
    setStep(
      await testPush().then(
        () => 'sent' as const,
        () => 'failed' as const,
      ),
    );
  }

  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <CustomButton
        kind="secondary"
        icon={<Bell aria-hidden className="size-5" />}
        isWaiting={step === 'waiting'}
        onClick={() => void handleTest()}
      >
        {t('push.try')}
      </CustomButton>
      <TextLink to={local(paths.test5)}>{t('push.check')}</TextLink>
      <p role="status" className="basis-full text-muted empty:hidden">
        {step === 'sent' && t('push.sent')}
        {step === 'failed' && t('push.notSent')}
      </p>
    </div>
  );
}
