import { ExternalLink, ShieldAlert } from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { showFeedback, successDuration } from '../core/feedback.ts';
import { findOriginTrouble, type OriginTrouble, readSurroundings } from '../core/origin.ts';
import { buttonClass } from '../ui/button-class.ts';
import { CustomButton } from '../ui/custom-button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

// Neither the address nor the browser changes under an open page.
function watchNothing(): () => void {
  return () => undefined;
}

function readTrouble(): OriginTrouble | undefined {
  return findOriginTrouble(readSurroundings());
}

function secureAddress(): string {
  return window.location.href.replace(/^http:/, 'https:');
}

/** Stands in for every page that needs keys, where keys can't be kept. Public pages stay readable. */
export function OriginGate({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell');
  const trouble = useSyncExternalStore(watchNothing, readTrouble, () => undefined);

  async function copyLink(): Promise<void> {
    await navigator.clipboard.writeText(window.location.href);
    showFeedback('success', t('origin.copied'), successDuration);
  }

  if (trouble === undefined) return children;
  if (trouble === 'insecure') {
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
