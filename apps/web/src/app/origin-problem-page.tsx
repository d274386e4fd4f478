import { ExternalLink, ShieldAlert } from 'lucide-react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { showFeedback, successDuration } from '../core/lib/feedback.ts';
import type { OriginProblem } from '../core/pwa/origin.ts';
import { buttonClass } from '../ui/button-class.ts';
import { CustomButton } from '../ui/custom-button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

function secureAddress(): string {
  return window.location.href.replace(/^http:/, 'https:');
}

/** Explains the problem with this address or browser, and how to solve it. */
export function OriginProblemPage({ problem }: { problem: OriginProblem }) {
  const { t } = useTranslation('shell');

  async function copyLink(): Promise<void> {
    await navigator.clipboard.writeText(window.location.href);
    showFeedback('success', t('origin.copied'), successDuration);
  }

  if (problem === 'insecure') {
    return (
      <EmptyState
        heading="h1"
        picture={<ShieldAlert aria-hidden className="size-20" strokeWidth={1.25} />}
        title={t('origin.insecureTitle')}
        text={t('origin.insecureText')}
        action={
          <a href={secureAddress()} className={buttonClass({})}>
            {t('origin.openSecure')}
          </a>
        }
      />
    );
  }
  return (
    <EmptyState
      heading="h1"
      picture={<ExternalLink aria-hidden className="size-20" strokeWidth={1.25} />}
      title={t('origin.webviewTitle')}
      text={t('origin.webviewText')}
      action={<CustomButton onClick={() => void copyLink()}>{t('origin.copyLink')}</CustomButton>}
    />
  );
}
