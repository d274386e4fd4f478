import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { useEffect, useState } from 'react';

interface Stats {
  users: number;
  messages: number;
  verified: number;
}

const address = '/api/stats';
const pollIntervalMs = 30_000;

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function readStats(body: unknown): Stats | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { users, messages, verified } = body as Record<string, unknown>;
  return isCount(users) && isCount(messages) && isCount(verified) ? { users, messages, verified } : undefined;
}

/** Public statistics, polled while the page is visible. Undefined until the first answer. */
export function useStats(): Stats | undefined {
  const [stats, setStats] = useState<Stats>();

  useEffect(() => {
    const stop = new AbortController();
    async function ask(): Promise<void> {
      if (document.hidden) return;
      try {
        const reply = await fetch(address, { headers: { [CALL_HEADER]: ANY_ACCOUNT }, signal: stop.signal });
        const next = reply.ok ? readStats(await reply.json()) : undefined;
        if (next) setStats(next);
      } catch {
        // Offline, or aborted by unmount: the last numbers stay.
      }
    }
    void ask();
    const timer = setInterval(() => void ask(), pollIntervalMs);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, []);

  return stats;
}
