/**
 * Text messages through whatever provider the operator has: one HTTPS call with the number and the words. Off unless an
 * address is configured.
 */
import { AppError } from '@dostar/protocol/errors';
import { logFailures } from '../observability/failure-log.ts';
import type { Log } from '../observability/log.ts';

const TIMEOUT_MS = 10_000;

export interface TextMessages {
  /** Resolves once the provider has taken it; throws `unavailable` otherwise. */
  send(to: string, text: string): Promise<void>;
}

/** The address may carry the provider's token: it is a secret, and errors here never repeat it. */
export function openTextMessages(url: string, log: Log): TextMessages {
  const noteFailure = logFailures(log, 'text messages');
  return {
    async send(to, text) {
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to, text }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch(noteFailure);
      await reply?.body?.cancel();
      if (reply && !reply.ok) noteFailure({ name: `status ${reply.status}` });
      if (!reply?.ok) throw new AppError('unavailable');
    },
  };
}
