/**
 * Stands in for Google: a real OpenID provider that accepts any address. `node openid-provider.ts PORT CLIENT SECRET`.
 *
 * Any user may sign in with any address. An address that begins with `unconfirmed` is reported as unverified, and for
 * `forged` the token is signed with an unpublished key. For `timeless` the token does not say when the person was
 * authenticated, as Google's does not; for `stale` it was an hour ago.
 */
import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';

const [port = '', clientId = '', clientSecret = ''] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const interactions = '/interaction/';

const { privateKey: publishedKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signingKey = publishedKey.export({ format: 'jwk' });

const configuration: Configuration = {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: ['http://localhost/'],
      // Google uses this method too.
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  jwks: { keys: [{ ...signingKey, kid: randomUUID(), use: 'sig', alg: 'RS256' }] },
  cookies: { keys: [randomBytes(32).toString('base64')] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  // Google puts the address into the ID token.
  conformIdTokenClaims: false,
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `${interactions}${uid}` },
  findAccount: (_ctx, email) => ({ accountId: email, claims: () => describe(email) }),
  loadExistingGrant: grantEverything,
};

function describe(email: string) {
  // Not the address: our server must identify users by the provider's subject.
  const sub = createHash('sha256').update(email).digest('hex').slice(0, 21);
  const [name = ''] = email.split('@');
  return { sub, email, email_verified: !email.startsWith('unconfirmed'), name };
}

/** Grants consent without a page, since consent pages are not under test. */
async function grantEverything({ oidc }: KoaContextWithOIDC) {
  const { account, client, provider: here } = oidc;
  const grant = new here.Grant({ accountId: account?.accountId, clientId: client?.clientId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

const provider = new Provider(issuer, configuration);
// Accepts any local redirect URI, because every test uses its own port.
provider.Client.prototype.redirectUriAllowed = (uri: string): boolean =>
  ['localhost', '127.0.0.1'].includes(new URL(uri).hostname);

const { privateKey: unpublishedKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

provider.use(async (ctx, next) => {
  await next();
  const { oidc } = ctx as KoaContextWithOIDC;
  const body = ctx.body as { id_token?: string } | undefined;
  if (body?.id_token === undefined) return;
  const email = oidc.account?.accountId ?? '';
  const isForged = email.startsWith('forged');
  if (!isForged && !email.startsWith('timeless') && !email.startsWith('stale')) return;
  const [header, payload = ''] = body.id_token.split('.');
  const { auth_time: at, ...claims } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    auth_time?: number;
  };
  const said = email.startsWith('timeless') ? claims : { ...claims, auth_time: (at ?? 0) - (isForged ? 0 : 3_600) };
  const signed = `${header}.${Buffer.from(JSON.stringify(said)).toString('base64url')}`;
  const key = isForged ? unpublishedKey : publishedKey;
  ctx.body = { ...body, id_token: `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}` };
});

const answer = provider.callback();

async function interact(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    return;
  }
  const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
  const email = form.get('email') ?? '';
  const isCancelled = form.get('action') === 'cancel' || email === '';
  const result = isCancelled ? { error: 'access_denied' } : { login: { accountId: email.toLowerCase() } };
  await provider.interactionFinished(request, reply, result, { mergeWithLastSubmission: false });
}

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in</title>
<meta name="viewport" content="width=device-width">
<style>body{font:16px system-ui;max-width:22rem;margin:12vh auto;padding:0 1rem}input,button{font:inherit;padding:.6rem;margin:.3rem 0;width:100%;box-sizing:border-box}</style>
<h1>Choose an account</h1><p>This stands in for Google: type any address.</p>
<form method="post"><label>Email <input name="email" type="email" autofocus></label>
<button name="action" value="continue">Continue</button>
<button name="action" value="cancel" formnovalidate>Cancel</button></form></html>`;

createServer((request, reply) => {
  if (!request.url?.startsWith(interactions)) {
    void answer(request, reply);
    return;
  }
  interact(request, reply).catch(() => reply.writeHead(400).end('This sign-in is over. Begin again.'));
}).listen(Number(port), '127.0.0.1');
