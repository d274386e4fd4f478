/** A headless browser that signs in to `/v1` with Google. */
import { AppwriteClient } from './appwrite-people.ts';
import { ORIGIN } from './test-cluster.ts';

export const SUCCESS = `${ORIGIN}/in?tab=1`;
export const FAILURE = `${ORIGIN}/out`;
const BACK = `success=${encodeURIComponent(SUCCESS)}&failure=${encodeURIComponent(FAILURE)}&project=dostar`;
const START = `/account/sessions/oauth2/google?${BACK}`;
export const START_TOKEN = `/account/tokens/oauth2/google?${BACK}`;

/** A browser with separate cookies for our server and the provider. */
export class AppwriteGoogleBrowser {
  readonly ours = new Map<string, string>();
  readonly #theirs = new Map<string, string>();
  readonly #url: string;
  readonly #address: string;

  constructor(url: string) {
    this.#url = url;
    this.#address = new AppwriteClient(url).headers['x-forwarded-for']!;
  }

  async visit(url: string, form?: URLSearchParams): Promise<Response> {
    const isOurs = url.startsWith(this.#url);
    const jar = isOurs ? this.ours : this.#theirs;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, ...(isOurs && { 'x-forwarded-for': this.#address }) },
      ...(form && { method: 'POST', body: form }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') jar.delete(name!);
      else jar.set(name!, value!);
    }
    return reply;
  }

  /** Returns the URL to which the provider redirects the browser at our server. */
  async visitProvider(email: string, start = START): Promise<string> {
    let next = (await this.visit(`${this.#url}/v1${start}`)).headers.get('location')!;
    for (let steps = 0; steps < 8 && !next.startsWith(ORIGIN); steps += 1) {
      const form = new URLSearchParams(email === 'cancel' ? { action: 'cancel' } : { email, action: 'continue' });
      const reply = await this.visit(next, next.includes('/interaction/') ? form : undefined);
      next = new URL(reply.headers.get('location') ?? '', next).href;
    }
    return next.replace(ORIGIN, this.#url);
  }

  async google(email: string, start = START): Promise<string> {
    return (await this.visit(await this.visitProvider(email, start))).headers.get('location') ?? '';
  }

  client(): AppwriteClient {
    return new AppwriteClient(this.#url, { 'x-appwrite-session': this.ours.get('a_session_dostar') ?? '' });
  }
}

/** The type of the error with which Google's way back ends. */
export function typeIn(url: string): string {
  return JSON.parse(new URL(url).searchParams.get('error') ?? '{}').type;
}
