/** Users of `/v1` only, each with a client that behaves like the hosted service's packages. */
import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { TOTP } from 'otpauth';
import { expect } from 'vitest';
import { createUserDocument } from '../src/features/people/users/service.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { ORIGIN } from './test-cluster.ts';
import type { SignedIn, TestCluster } from './test-cluster.ts';

export interface Reply {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  body: any;
}

export const PASSWORD = 'abcd';
const OPERATOR_KEY = 'the key of the operator';
let people = 0;

export class AppwriteClient {
  readonly #url: string;
  headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#url = url;
    // Each client has another address, since limits count by address.
    people += 1;
    this.headers = { 'x-forwarded-for': `10.9.${people >> 8}.${people & 255}`, ...headers };
  }

  async call(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Reply> {
    const isForm = body instanceof FormData;
    const type = !isForm && { 'content-type': 'application/json' };
    const reply = await fetch(`${this.#url}/v1${path}`, {
      method,
      redirect: 'manual',
      headers: { 'x-appwrite-project': 'dostar', ...type, ...this.headers, ...more },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
  }

  async signIn(email: string, password = PASSWORD): Promise<this> {
    const reply = await this.call('POST', '/account/sessions/email', { email, password });
    expect(reply).toMatchObject({ status: 201 });
    this.headers['x-appwrite-session'] = secretIn(reply);
    return this;
  }
}

export interface AppwritePerson extends AppwriteClient {
  email: string;
  id: string;
}

export async function addPerson(url: string): Promise<AppwritePerson> {
  const client = new AppwriteClient(url);
  const email = `p${people}-${Math.random().toString(36).slice(2, 8)}@example.org`;
  const { body } = await client.call('POST', '/account', { userId: 'unique()', email, password: PASSWORD });
  return Object.assign(await client.signIn(email), { email, id: (body as { $id: string }).$id });
}

export type ProductPerson = AppwriteClient & SignedIn;

/** A product user who calls from the product's own pages. */
export async function addProductPerson(cluster: TestCluster, isVerified = false): Promise<ProductPerson> {
  const person = await cluster.addAccount();
  const email = isVerified ? `${person.account}@example.org` : null;
  await createUserDocument(cluster.ctx, person.account, { email, verifiedAt: isVerified ? 1 : null });
  const headers = { cookie: `${SESSION_COOKIE}=${person.token}`, origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
  return Object.assign(new AppwriteClient(cluster.url, headers), person);
}

/** Writes an `APPWRITE_CONFIG_FILE` with the API key of `operatorOf`. */
export async function writeAppwriteFile(definition: object): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'dostar-service-')), 'service.json');
  const keys = [createHash('sha256').update(OPERATOR_KEY).digest('hex')];
  await writeFile(file, JSON.stringify({ keys, ...definition }));
  return file;
}

/** A client with the operator's API key. */
export function operatorOf({ url }: TestCluster): AppwriteClient {
  return new AppwriteClient(url, { 'x-appwrite-key': OPERATOR_KEY });
}

export async function verifyEmail(smtp: SmtpPeer, person: AppwritePerson): Promise<void> {
  await person.call('POST', '/account/verification', { url: `${ORIGIN}/v` });
  const { searchParams } = await readEmail(smtp, person.email);
  const brought = { userId: searchParams.get('userId'), secret: searchParams.get('secret') };
  expect(await person.call('PUT', '/account/verification', brought)).toMatchObject({ status: 200 });
}

function secretIn({ headers }: Reply): string {
  const fallback = JSON.parse(headers.get('x-fallback-cookies') ?? '{}') as Record<string, string>;
  return fallback['a_session_dostar'] ?? '';
}

/** The link in the newest email, once at least `count` emails with links have arrived. */
export async function readEmail(smtp: SmtpPeer, email: string, count = 1): Promise<URL> {
  const find = () =>
    smtp.emails
      .filter((message) => message.to.includes(email))
      .flatMap((message) => /https?:\/\/\S+secret=\S+/.exec(plainOf(message))?.[0] ?? []);
  await expect.poll(() => find().length).toBeGreaterThanOrEqual(count);
  return new URL(find().at(-1)!);
}

export function plainOf({ raw }: { raw: string }): string {
  return raw
    .slice(raw.indexOf('\r\n\r\n'))
    .replaceAll(/=\r?\n/g, '')
    .replaceAll('=3D', '=');
}

/** Codes of an authenticator app, each of a later time step, since none works twice. */
export function makeApp(secret: string, now: () => number): () => string {
  const totp = new TOTP({ secret });
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(now() / 30_000));
    return totp.generate({ timestamp: last * 30_000 });
  };
}
