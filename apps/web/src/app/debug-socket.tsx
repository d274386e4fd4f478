import type { Client } from '@dostar/client';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { useMessenger } from '../core/messenger/messenger.ts';
import { useLive } from '../core/lib/use-live.ts';

/** The socket's state of a signed-in user; visitors have no socket. */
export function DebugSocket() {
  const { t } = useTranslation('shell');
  const client = useMessenger();
  return client ? <SocketState client={client} /> : t('debug.states.closed');
}

function SocketState({ client }: { client: Client }) {
  const { t } = useTranslation('shell');
  const connection = useLive(client.live.connection());
  return t(`debug.states.${connection?.state ?? 'connecting'}`);
}
