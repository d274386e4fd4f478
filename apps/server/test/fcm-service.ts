/**
 * A stand-in for Firebase: exchanges a service account's signed claim for a short-lived token (RFC 7523), and accepts
 * messages over HTTP v1 from clients with such a token.
 */
import { generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const PROJECT = 'sample-messenger';
const EMAIL = 'sender@sample-messenger.iam.gserviceaccount.com';
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const TOKEN_LASTS_S = 3_600;

const Message = z.strictObject({
  message: z.strictObject({
    token: z.string(),
    data: z.record(z.string(), z.string()),
    webpush: z.strictObject({ headers: z.record(z.string(), z.string()) }),
  }),
});

interface FcmMessage {
  token: string;
  data: Record<string, string>;
  headers: Record<string, string>;
}

export interface FcmService extends AsyncDisposable {
  url: string;
  /** The credentials file of an operator. */
  credentials: string;
  received: FcmMessage[];
  /** Refusals for the next messages. */
  refusals: { status: number; headers?: Record<string, string> }[];
  complaints: string[];
  /** Number of tokens issued. */
  exchanges: number;
}

export async function startFcmService(): Promise<FcmService> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const given = new Set<string>();

  function exchange(body: string): unknown {
    const form = new URLSearchParams(body);
    if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') throw new Error('not a grant');
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const isSigned = verify('sha256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'));
    const { iss, scope, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    if (!isSigned || iss !== EMAIL || scope !== SCOPE) throw new Error('not by the account');
    if (Number(exp) < Date.now() / 1000) throw new Error('too late');
    service.exchanges += 1;
    const token = randomBytes(16).toString('hex');
    given.add(token);
    return { access_token: token, expires_in: TOKEN_LASTS_S, token_type: 'Bearer' };
  }

  function take({ url, headers }: IncomingMessage, body: string): unknown {
    if (url !== `/v1/projects/${PROJECT}/messages:send`) throw new Error(`not an address: ${url}`);
    if (!given.has(headers.authorization?.replace(/^Bearer /, '') ?? '')) throw new Error('not a token');
    const { message } = Message.parse(JSON.parse(body));
    service.received.push({ token: message.token, data: message.data, headers: message.webpush.headers });
    return { name: `projects/${PROJECT}/messages/${service.received.length}` };
  }

  const server = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      const body = Buffer.concat(chunks).toString();
      const isToken = request.url === '/token';
      const refusal = isToken ? undefined : service.refusals.shift();
      if (refusal) return response.writeHead(refusal.status, refusal.headers).end('{}');
      try {
        const answer = isToken ? exchange(body) : take(request, body);
        return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      } catch (error) {
        service.complaints.push((error as Error).message);
        return response.writeHead(401).end('{}');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = JSON.stringify({
    type: 'service_account',
    project_id: PROJECT,
    client_email: EMAIL,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: `${url}/token`,
  });
  const service: FcmService = {
    url,
    credentials,
    received: [],
    refusals: [],
    complaints: [],
    exchanges: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return service;
}
