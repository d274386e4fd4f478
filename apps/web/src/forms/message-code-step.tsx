import type { Locale } from '@dostar/protocol/contract/accounts';
import { useEffect, useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { codeOf } from '../core/lib/failure.ts';
import { useCodeAttempt } from '../core/session/use-code-attempt.ts';
import { useLocale } from '../core/i18n/use-locale.ts';
import { CodeField } from '../ui/code-field.tsx';
import { WaitButton } from '../ui/wait-button.tsx';

const RESEND_AFTER_MS = 60_000;

interface MessageCodeStepProps {
  kind: 'email' | 'phone';
  hint: string;
  /** Sends a code. Returns when the next one may be requested. */
  onSend: (locale: Locale) => Promise<number>;
  onGive: (code: string) => Promise<void>;
}

/** Asks for a code by email or SMS, which is sent as soon as the person chooses this way. */
export function MessageCodeStep({ kind, hint, onSend, onGive }: MessageCodeStepProps) {
  const { t } = useTranslation('factors');
  const { code: locale } = useLocale();
  const { problem, isWaiting, attempts, submit, fail } = useCodeAttempt(onGive);
  const [resendAt, setResendAt] = useState(0);

  async function send(): Promise<void> {
    try {
      setResendAt(await onSend(locale));
    } catch (error) {
      // A code was sent already, before a reload.
      if (codeOf(error) === 'too_soon') setResendAt(Date.now() + RESEND_AFTER_MS);
      else fail(error);
    }
  }

  useEffect(() => {
    void send();
    // Sends the first code when this way is chosen; a press sends another one.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return (
    <div className="flex flex-col items-start gap-4">
      <CodeField
        key={attempts}
        autoFocus
        label={t(`step.code.${kind}`)}
        hint={t(`step.sent.${kind}`, { hint })}
        error={problem && t(`problems.${problem}`)}
        disabled={isWaiting}
        onComplete={(code) => void submit(code)}
      />
      <WaitButton
        notBefore={resendAt}
        label={t('common.resend')}
        waitLabel={(count) => t('common.resendIn', { count })}
        onClick={() => void send()}
      />
    </div>
  );
}
