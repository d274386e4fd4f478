import { OAuthProvider } from 'appwrite';
import { PROJECT } from './service-definition.ts';
import { expect, ORIGIN, raw, same } from './fixture.ts';
import type { Assertion, Fixture } from './fixture.ts';

const SUCCESS = `${ORIGIN}/in?tab=1`;
const FAILURE = `${ORIGIN}/out`;

/** The URL to which the package would send a browser. */
function startOf({ guest }: Fixture, provider = OAuthProvider.Google, success = SUCCESS): string {
  return guest.account.createOAuth2Session({ provider, success, failure: FAILURE }) as string;
}

/** Follows redirects one at a time, with separate cookies for the provider and the server. */
class Journey {
  readonly cookies = new Map<string, Map<string, string>>();

  async step(url: string, form?: URLSearchParams): Promise<Response> {
    const jar = this.cookies.get(new URL(url).host) ?? new Map<string, string>();
    this.cookies.set(new URL(url).host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return reply;
  }
}

/** Goes through the sign-in and returns the account whose session the browser then has. */
async function goThrough(fixture: Fixture, email: string): Promise<string> {
  const journey = new Journey();
  const server = new URL(fixture.endpoint).origin;
  let next = startOf(fixture);
  for (let steps = 0; steps < 12 && next !== SUCCESS; steps += 1) {
    const form = new URLSearchParams({ email, action: 'continue' });
    const reply = await journey.step(next, next.includes('/interaction/') ? form : undefined);
    const to = new URL(reply.headers.get('location') ?? '', next).href;
    // The provider redirects to the public origin; here no proxy stands in front of the server.
    next = to.startsWith(`${ORIGIN}/v1/`) ? to.replace(ORIGIN, server) : to;
  }
  same(next, SUCCESS, 'where it ends');
  const secret = journey.cookies.get(new URL(server).host)?.get(`a_session_${PROJECT}`) ?? '';
  const reply = await raw(fixture, '/account', { headers: { cookie: `a_session_${PROJECT}=${secret}` } });
  const user = (await reply.json()) as { $id: string; email: string; emailVerification: boolean };
  same([user.email, user.emailVerification], [email, true], 'the account signed in');
  return user.$id;
}

export const GOOGLE: Assertion[] = [
  {
    number: 29,
    async run(fixture) {
      const url = startOf(fixture);
      same(new URL(url).searchParams.get('project'), PROJECT, 'the project');
      const reply = await fetch(url, { redirect: 'manual' });
      same(reply.status, 302, 'status');
      const to = new URL(reply.headers.get('location') ?? '');
      same(to.origin, fixture.issuer, 'the provider');
      for (const name of ['client_id', 'redirect_uri', 'state']) expect(to.searchParams.has(name), name);
      expect(reply.headers.get('cache-control')?.includes('no-store'), 'not stored');
      const email = `google-${Date.now()}@example.org`;
      same(await goThrough(fixture, email), await goThrough(fixture, email), 'the same account the next time');
    },
  },
  {
    number: 30,
    async run(fixture) {
      const elsewhere = startOf(fixture, OAuthProvider.Google, 'https://elsewhere.example/in');
      same((await fetch(elsewhere, { redirect: 'manual' })).status, 400, 'another host');
      const unknown = startOf(fixture, 'nobody' as never);
      same((await fetch(unknown, { redirect: 'manual' })).status, 400, 'an unknown provider');
    },
  },
];
