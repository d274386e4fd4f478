import { CloudOff, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { updateAndReload } from '../../../core/pwa/new-version.ts';
import { useIsOnline } from '../../../core/lib/use-is-online.ts';

/** Hides short interruptions. */
const DELAY_MS = 2000;

interface ConnectionBarProps {
  state: 'connecting' | 'online' | 'waiting' | 'signed_out' | 'outdated' | undefined;
}

/** Thin bar while the connection is down. The loaded content stays usable. */
export function ConnectionBar({ state }: ConnectionBarProps) {
  const { t } = useTranslation('chat');
  const isOnline = useIsOnline();
  if (!isOnline || state === 'waiting') return <AwayBar key="offline" isOffline />;
  if (state === 'connecting') return <AwayBar key="connecting" isOffline={false} />;
  if (state !== 'outdated') return null;
  return (
    <p role="status" className="flex items-center justify-center gap-3 bg-sun-soft px-4 py-1 text-small">
      {t('banner.outdated')}
      <button type="button" onClick={() => void updateAndReload()} className="min-h-9 font-semibold underline">
        {t('banner.reload')}
      </button>
    </p>
  );
}

function AwayBar({ isOffline }: { isOffline: boolean }) {
  const { t } = useTranslation('chat');
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  const Icon = isOffline ? CloudOff : RefreshCw;
  return (
    <p role="status" className="flex items-center justify-center gap-2 bg-surface-2 px-4 py-1.5 text-small text-muted">
      <Icon aria-hidden className="size-4" />
      {isOffline ? t('banner.offline') : t('banner.connecting')}
    </p>
  );
}
