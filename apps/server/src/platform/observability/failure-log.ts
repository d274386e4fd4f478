import type { Log } from './log.ts';

const ONE_LINE_PER_MS = 60_000;

/**
 * Logs that an outside service can't be reached: the kind of failure, never the address, which may hold a token. At most
 * one line a minute, since a service that is down fails every request.
 */
export function logFailures(log: Log, service: string): (error: unknown) => void {
  const limitLines = createLineLimit();
  return (error) =>
    limitLines((failures) =>
      log.warn({ service, reason: reasonOf(error), failures }, 'an outside service does not answer'),
    );
}

/** Logs the status with which a push service did not accept a push. At most one line a minute for each vendor. */
export function logRefusals(log: Log, service: string): (refusal: { host: string; status: number }) => void {
  const limits = new Map<string, ReturnType<typeof createLineLimit>>();
  return ({ host, status }) => {
    const limitLines = limits.get(host) ?? createLineLimit();
    limits.set(host, limitLines);
    limitLines((refusals) => log.warn({ service, host, status, refusals }, 'a push service refuses'));
  };
}

/** Passes on how many events there were since the last line. */
function createLineLimit(): (write: (count: number) => void) => void {
  let loggedAt = -Infinity;
  let unlogged = 0;
  return (write) => {
    unlogged += 1;
    const now = performance.now();
    if (now - loggedAt < ONE_LINE_PER_MS) return;
    write(unlogged);
    loggedAt = now;
    unlogged = 0;
  };
}

function reasonOf(error: unknown): string {
  const { cause, code, name } = error as { cause?: { code?: string; message?: string }; code?: string; name: string };
  if (cause?.message === 'unexpected redirect') return 'redirect';
  return cause?.code ?? code ?? name;
}
