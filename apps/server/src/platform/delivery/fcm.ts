/**
 * Firebase Cloud Messaging, for browsers and wrappers without Web Push: HTTP v1 with short-lived tokens of a service account.
 *
 * Google can read what is sent, so the push names no user and does not contain the number of unread messages.
 */
import { JWT } from 'google-auth-library';
import { z } from 'zod';
import type { Clock } from '../concurrency/clock.ts';
import { logFailures, logRefusals } from '../observability/failure-log.ts';
import type { Log } from '../observability/log.ts';
import { vendorOf } from './push-hosts.ts';
import { isRefusal, judgePush } from './push-outcome.ts';
import type { Push, PushOutcome } from './push-outcome.ts';

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const TIMEOUT_MS = 10_000;

/** The file that Firebase gives an operator, of which these members matter. */
const Credentials = z.object({
  project_id: z.string().regex(/^[\w-]+$/),
  client_email: z.email(),
  private_key: z.string().min(1),
  token_uri: z.url(),
});

interface FcmOptions {
  /** JSON. */
  credentials: string;
  url: string;
  clock: Clock;
  log: Log;
}

export class Fcm {
  readonly #url: URL;
  readonly #clock: Clock;
  readonly #account: JWT;
  readonly #noteFailure: ReturnType<typeof logFailures>;
  readonly #noteRefusal: ReturnType<typeof logRefusals>;

  constructor({ credentials, url, clock, log }: FcmOptions) {
    const given = Credentials.parse(JSON.parse(credentials));
    this.#url = new URL(`/v1/projects/${given.project_id}/messages:send`, url);
    this.#clock = clock;
    this.#noteFailure = logFailures(log, 'firebase');
    this.#noteRefusal = logRefusals(log, 'firebase');
    this.#account = new JWT({
      email: given.client_email,
      key: given.private_key,
      scopes: [SCOPE],
      // The library knows only Google's own token URL; the file may name another.
      transporterOptions: { fetchImplementation: (_, init) => fetch(given.token_uri, { ...init, ...limitAnswer() }) },
    });
  }

  async send(token: string, { body, topic, urgency, ttlSeconds }: Push): Promise<PushOutcome> {
    const headers = { TTL: String(ttlSeconds), Urgency: urgency, ...(topic !== undefined && { Topic: topic }) };
    const message = { token, data: { push: body.trimEnd() }, webpush: { headers } };
    try {
      const { token: bearer } = await this.#account.getAccessToken();
      const answer = await fetch(this.#url, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ message }),
        ...limitAnswer(),
      });
      await answer.body?.cancel();
      const outcome = judgePush(answer.status, answer.headers.get('retry-after'), this.#clock.now());
      if (isRefusal(outcome)) this.#noteRefusal({ host: vendorOf(this.#url.hostname), status: answer.status });
      return outcome;
    } catch (error) {
      this.#noteFailure(error);
      return { kind: 'later', afterMs: undefined };
    }
  }
}

/** A redirect would take the message, or the claim that is worth a token, to another host. */
function limitAnswer(): { redirect: 'error'; signal: AbortSignal } {
  return { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) };
}
