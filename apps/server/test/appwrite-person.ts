/** Users of `/v1` and their calls. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestCluster } from './test-cluster.ts';

export interface AppwriteAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  body: any;
}

export interface AppwritePerson {
  id: string;
  secret: string;
  /** Starts another session. */
  signIn: () => Promise<{ secret: string }>;
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<AppwriteAnswer>;
}

const PROJECT = 'dostar';
let people = 0;

const TRIES = 20;

/** Repeats a call that a busy machine answers with a retry later. */
export async function callAppwrite(cluster: TestCluster, ...args: Asked): Promise<AppwriteAnswer> {
  for (let tried = 1; ; tried += 1) {
    const answer = await callOnce(cluster, ...args);
    if (answer.status !== 503 || tried === TRIES) return answer;
    await sleep(250);
  }
}

type Asked = Parameters<typeof callOnce> extends [TestCluster, ...infer Rest] ? Rest : never;

async function callOnce(
  cluster: TestCluster,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<AppwriteAnswer> {
  const isForm = body instanceof FormData;
  const reply = await fetch(`${cluster.url}/v1${path}`, {
    method,
    headers: { 'x-appwrite-project': PROJECT, ...(!isForm && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: reply.status,
    headers: reply.headers,
    bytes,
    body: isJson ? JSON.parse(bytes.toString()) : undefined,
  };
}

export async function addAppwritePerson(cluster: TestCluster): Promise<AppwritePerson> {
  people += 1;
  const login = { email: `${people}-${Math.random().toString(36).slice(2, 8)}@example.org`, password: 'abcd' };
  const from = { 'x-forwarded-for': `10.2.0.${people}` };
  const { body } = await callAppwrite(cluster, 'POST', '/account', { userId: 'unique()', ...login }, from);
  const signIn = async (): Promise<{ secret: string }> => {
    const { headers } = await callAppwrite(cluster, 'POST', '/account/sessions/email', login, from);
    const fallback = JSON.parse(headers.get('x-fallback-cookies')!) as Record<string, string>;
    return { secret: fallback[`a_session_${PROJECT}`]! };
  };
  const { secret } = await signIn();
  return {
    id: (body as { $id: string }).$id,
    secret,
    signIn,
    call: (method, path, sent, more) =>
      callAppwrite(cluster, method, path, sent, { 'x-appwrite-session': secret, ...more }),
  };
}
