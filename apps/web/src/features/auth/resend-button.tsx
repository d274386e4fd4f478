import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { codeOf } from '../../core/lib/failure.ts';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { reasonOfCode } from './code-failure.ts';
import { loadAuth } from './load-auth.ts';

interface ResendButtonProps {
  email: string;
  resendAt: number;
  onSent: () => void;
}

/** Counts down until the server sends another code. */
export function ResendButton({ email, resendAt, onSent }: ResendButtonProps) {
  const { t } = useTranslation('auth');
  const [notBefore, setNotBefore] = useState(resendAt);
  const [now, setNow] = useState(() => Date.now());
  const [isWaiting, setIsWaiting] = useState(false);
  const seconds = Math.max(0, Math.ceil((notBefore - now) / 1000));

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);

  async function handleClick(): Promise<void> {
    setIsWaiting(true);
    try {
      setNotBefore(await (await loadAuth()).resendCode(email));
      showFeedback('success', t('signUp.codeSent', { email }), successDuration);
      onSent();
    } catch (error) {
      const code = codeOf(error);
      if (code === 'no_sign_up') showFeedback('error', t('confirmCode.noSignUp'));
      else showFeedback('error', t('signUp.codeFailed', { reason: t(reasonOfCode(code)) }));
    } finally {
      setIsWaiting(false);
    }
  }

  return (
    <CustomButton kind="secondary" disabled={seconds > 0} isWaiting={isWaiting} onClick={() => void handleClick()}>
      {seconds > 0 ? t('confirmCode.resendIn', { count: seconds }) : t('confirmCode.resend')}
    </CustomButton>
  );
}
