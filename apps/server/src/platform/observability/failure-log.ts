import type { Log } from './log.ts';

const ONE_LINE_PER_MS = 60_000;

/**
 * Logs that an outside service can't be reached: the kind of failure, never the address, which may hold a token. At most
 * one line a minute, since a service that is down fails every request.
 */
export function logFailures(log: Log, service: string): (error: unknown) => void {
  let loggedAt = -Infinity;
  let unlogged = 0;
  return (error) => {
    unlogged += 1;
    const now = performance.now();
    if (now - loggedAt < ONE_LINE_PER_MS) return;
    log.warn({ service, reason: reasonOf(error), failures: unlogged }, 'an outside service does not answer');
    loggedAt = now;
    unlogged = 0;
  };
}

function reasonOf(error: unknown): string {
  const { cause, code, name } = error as { cause?: { code?: string; message?: string }; code?: string; name: string };
  if (cause?.message === 'unexpected redirect') return 'redirect';
  return cause?.code ?? code ?? name;
}
