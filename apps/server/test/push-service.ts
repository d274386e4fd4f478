/**
 * A push service like those of browser vendors: accepts RFC 8030 over TLS, verifies the sender (RFC 8292) and decrypts
 * as the browser would (RFC 8291), independently of the server's library.
 */
import { execFileSync } from 'node:child_process';
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Received {
  topic: string | undefined;
  ttl: number;
  urgency: string | undefined;
  /** The payload as the browser reads it. */
  text: string;
  bytes: number;
}

/** A received request. */
interface Taken {
  path: string;
  at: number;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The answer to the next pushes of a subscription. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
}

export class Browser {
  readonly received: Received[] = [];
  answers: Answer[] = [];
  readonly subscription;
  readonly #keys = createECDH('prime256v1');
  readonly #auth = randomBytes(16);

  constructor(endpoint: string) {
    const p256dh = this.#keys.generateKeys('base64url');
    this.subscription = { endpoint, keys: { p256dh, auth: this.#auth.toString('base64url') } };
  }

  /** Decrypts by RFC 8291, section 3.4, and RFC 8188 for a single record. */
  open(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const keyLength = body.readUInt8(20);
    const theirs = body.subarray(21, 21 + keyLength);
    const sealed = body.subarray(21 + keyLength);
    const shared = this.#keys.computeSecret(theirs);
    const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), theirs]);
    const material = Buffer.from(hkdfSync('sha256', shared, this.#auth, keyInfo, 32));
    const key = Buffer.from(hkdfSync('sha256', material, salt, 'Content-Encoding: aes128gcm\0', 16));
    const nonce = Buffer.from(hkdfSync('sha256', material, salt, 'Content-Encoding: nonce\0', 12));
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    const end = padded.lastIndexOf(2);
    if (end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('not the last record');
    return padded.subarray(0, end).toString('utf8');
  }
}

export interface PushService extends AsyncDisposable {
  origin: string;
  /** Certificate that the server must trust. */
  certificate: string;
  addBrowser(): Browser;
  /** Reasons for refused requests that violate the standards. */
  complaints: string[];
  /** All requests in their order, until a test empties the list. */
  requests: Taken[];
  /** While set, requests are accepted and not answered. */
  held: Promise<void> | undefined;
}

export async function startPushService(publicKey: () => string): Promise<PushService> {
  const { key, cert } = makeCertificate();
  const browsers = new Map<string, Browser>();
  const complaints: string[] = [];
  const requests: Taken[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    receive(request)
      .then(({ status, headers }: Answer) => response.writeHead(status, headers).end())
      .catch((error: unknown) => (response as ServerResponse).destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function receive(request: IncomingMessage): Promise<Answer> {
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    const answer = complainOrTake(request, body);
    const headers = request.headers as Record<string, string>;
    requests.push({ path: request.url ?? '', at: Date.now(), status: answer.status, headers, body });
    await service.held;
    return answer;
  }

  function complainOrTake(request: IncomingMessage, body: Buffer): Answer {
    try {
      return take(request, body);
    } catch (error) {
      complaints.push((error as Error).message);
      return { status: 400 };
    }
  }

  function take(request: IncomingMessage, body: Buffer): Answer {
    const browser = browsers.get(request.url ?? '');
    checkSender(request.headers.authorization ?? '', origin, publicKey());
    const { ttl, topic, urgency, 'content-encoding': encoding } = request.headers as Record<string, string | undefined>;
    if (request.method !== 'POST' || encoding !== 'aes128gcm') throw new Error('not a push');
    if (ttl === undefined || !/^\d+$/.test(ttl)) throw new Error('a push without its time to live');
    if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) throw new Error(`not a topic: ${topic}`);
    if (body.length > 4096) throw new Error('a push too large');
    if (!browser) return { status: 410 };
    const answer = browser.answers.shift() ?? { status: 201 };
    if (answer.status === 201)
      browser.received.push({ topic, urgency, ttl: Number(ttl), text: browser.open(body), bytes: body.length });
    return answer;
  }

  const service: PushService = {
    origin,
    certificate: cert,
    complaints,
    requests,
    held: undefined,
    addBrowser() {
      const path = `/push/${randomBytes(12).toString('hex')}`;
      const browser = new Browser(origin + path);
      browsers.set(path, browser);
      return browser;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return service;
}

/** RFC 8292: signed with the key of the subscription, for this service, for a day at most. */
function checkSender(authorization: string, origin: string, publicKey: string): void {
  const [, token, key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  if (token === undefined || key !== publicKey) throw new Error('not by the key that was subscribed to');
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const verifier = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
  const words = Buffer.from(`${head}.${claims}`);
  const isSigned = verify(
    'sha256',
    words,
    { key: verifier, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('not signed');
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
  const lasts = Number(exp) - Date.now() / 1000;
  if (aud !== origin || !(lasts > 0 && lasts <= 86_400)) throw new Error(`for ${String(aud)} until ${String(exp)}`);
  if (!/^(?:mailto:|https:)/.test(String(sub))) throw new Error('nobody to turn to');
}

/** A private certificate authority for 127.0.0.1 only. */
function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'push-service-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=push'];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...options, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  const made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}
