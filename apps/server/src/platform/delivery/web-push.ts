/**
 * Web Push: RFC 8030 with the keys of RFC 8291 and 8292.
 *
 * Promise: a request goes only to a host of the operator's list, over TLS, and follows no redirect, so a stored address
 * can't make the server call another host. Of a push service's answer only the status and `Retry-After` are read.
 */
import { createECDH } from 'node:crypto';
import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import webPush from 'web-push';
import type { Clock } from '../concurrency/clock.ts';
import { logFailures, logRefusals } from '../observability/failure-log.ts';
import type { Log } from '../observability/log.ts';
import { isAllowedEndpoint, vendorOf } from './push-hosts.ts';
import { isRefusal, judgePush } from './push-outcome.ts';
import type { Push, PushOutcome } from './push-outcome.ts';

const TIMEOUT_MS = 10_000;
const CURVE = 'prime256v1';
const KEY_BYTES = 32;
/** At most a day is allowed (RFC 8292). One signature serves every request to a push service meanwhile. */
const SIGNED_FOR_MS = 12 * 3_600_000;
const SIGN_AGAIN_BEFORE_MS = 3_600_000;
/** Connections to one push service. */
const LINES = 32;

export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

interface WebPushOptions {
  /** 32 bytes in base64url. */
  privateKey: string;
  /** Where a push service can reach this server's operator: a page or `mailto:`. */
  contact: string;
  /** `host`, `*.host`, or an origin with a port of its own. */
  hosts: readonly string[];
  clock: Clock;
  log: Log;
  /** How long a push service may take to answer. */
  timeoutMs?: number;
}

export class WebPush implements Disposable {
  readonly publicKey: string;
  readonly #options: WebPushOptions;
  readonly #timeoutMs: number;
  readonly #agent: Agent;
  readonly #noteFailure: ReturnType<typeof logFailures>;
  readonly #noteRefusal: ReturnType<typeof logRefusals>;
  #signatures = new Map<string, { authorization: string; until: number }>();

  constructor(options: WebPushOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#agent = new Agent({ keepAlive: true, maxSockets: LINES, timeout: this.#timeoutMs });
    this.#noteFailure = logFailures(options.log, 'web push');
    this.#noteRefusal = logRefusals(options.log, 'web push');
    this.publicKey = publicKeyOf(options.privateKey);
  }

  /** Whether the address is of a push service we know, and the keys are keys. */
  accepts(subscription: Subscription): boolean {
    return isAllowedEndpoint(subscription.endpoint, this.#options.hosts) && seal(subscription, '') !== undefined;
  }

  async send(subscription: Subscription, push: Push): Promise<PushOutcome> {
    // The operator may have removed the host since the device registered.
    if (!isAllowedEndpoint(subscription.endpoint, this.#options.hosts)) return { kind: 'gone' };
    const cipherText = seal(subscription, push.body);
    // Targets of `/v1` are stored unchecked: an error thrown here would keep an announcement from the targets after this one.
    if (cipherText === undefined) return { kind: 'gone' };
    try {
      const url = new URL(subscription.endpoint);
      const { statusCode: status = 0, headers } = await this.#post(url, cipherText, push);
      const outcome = judgePush(status, headers['retry-after'], this.#options.clock.now());
      if (isRefusal(outcome)) this.#noteRefusal({ host: vendorOf(url.hostname), status });
      return outcome;
    } catch (error) {
      this.#noteFailure(error);
      return { kind: 'later', afterMs: undefined };
    }
  }

  #post(url: URL, body: Buffer, { topic, urgency, ttlSeconds }: Push): Promise<IncomingMessage> {
    const headers = {
      authorization: this.#sign(url.origin),
      ttl: ttlSeconds,
      urgency,
      ...(topic !== undefined && { topic }),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      'content-length': body.length,
    };
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent: this.#agent, headers, timeout: this.#timeoutMs }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer));
        answer.on('error', reject);
      });
      sent.on('timeout', () => sent.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  #sign(audience: string): string {
    const now = this.#options.clock.now();
    const known = this.#signatures.get(audience);
    if (known && known.until > now + SIGN_AGAIN_BEFORE_MS) return known.authorization;
    const { contact, privateKey } = this.#options;
    const until = now + SIGNED_FOR_MS;
    const expires = Math.floor(until / 1000);
    const signed = webPush.getVapidHeaders(audience, contact, this.publicKey, privateKey, 'aes128gcm', expires);
    this.#signatures.set(audience, { authorization: signed.Authorization, until });
    return signed.Authorization;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

export function createVapidKey(): string {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  const bytes = pair.getPrivateKey();
  // It comes without leading zeroes, which one key in 256 has.
  return Buffer.concat([Buffer.alloc(KEY_BYTES - bytes.length), bytes]).toString('base64url');
}

function publicKeyOf(privateKey: string): string {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(privateKey, 'base64url');
  return pair.getPublicKey('base64url');
}

/** Undefined if the keys are invalid: no point of the curve, or a secret that is too short. */
function seal({ p256dh, auth }: Subscription, body: string): Buffer | undefined {
  try {
    return webPush.encrypt(p256dh, auth, body, 'aes128gcm').cipherText;
  } catch {
    return undefined;
  }
}
