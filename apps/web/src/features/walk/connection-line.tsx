import type { Client } from '@dostar/client';
import { useLive } from '../../core/use-live.ts';

const words = {
  connecting: 'Connecting…',
  online: 'Connected',
  waiting: 'Waiting for the server…',
  signed_out: 'Signed out: open a new link',
  outdated: 'A newer version is out: reload the page',
} as const;

export function ConnectionLine({ client }: { client: Client }) {
  const connection = useLive(client.live.connection());
  const state = connection?.state ?? 'connecting';
  return (
    <p role="status" aria-label="Connection" className="flex items-center gap-2 text-sm opacity-80">
      <span
        aria-hidden="true"
        className={`size-2 rounded-full bg-current ${state === 'online' ? 'opacity-100' : 'animate-pulse opacity-40'}`}
      />
      {words[state]}
    </p>
  );
}
