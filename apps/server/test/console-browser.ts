/** A browser at the operator's console: its cookie, its forms and what it shows. */
import type { TestCluster } from './test-cluster.ts';
import { runAdminCommand } from './run-admin-command.ts';

export interface ConsoleAnswer {
  status: number;
  headers: Headers;
  html: string;
}

export class ConsoleBrowser {
  readonly url: string;
  cookie: string | undefined;

  constructor(url: string) {
    this.url = url;
  }

  /** Opens the console as its operator does. */
  static async open(cluster: TestCluster, operator = 'tester'): Promise<ConsoleBrowser> {
    const browser = new ConsoleBrowser(cluster.servers[0]!.console!.url);
    await browser.post('/console/open', { code: await printCode(cluster, operator) });
    if (browser.cookie === undefined) throw new Error('the link opened no session');
    return browser;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ConsoleAnswer> {
    return this.call('GET', path, { headers });
  }

  post(path: string, form: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<ConsoleAnswer> {
    return this.call('POST', path, { headers: { origin: this.url, ...headers }, body: new URLSearchParams(form) });
  }

  async call(
    method: string,
    path: string,
    { headers, body }: { headers?: Record<string, string>; body?: URLSearchParams } = {},
  ): Promise<ConsoleAnswer> {
    const reply = await fetch(new URL(path, this.url), {
      method,
      redirect: 'manual',
      headers: { ...(this.cookie !== undefined && { cookie: this.cookie }), ...headers },
      ...(body && { body }),
    });
    const [set] = reply.headers.getSetCookie();
    if (set !== undefined) this.cookie = set.includes('Max-Age=0') ? undefined : set.split(';')[0];
    return { status: reply.status, headers: reply.headers, html: await reply.text() };
  }
}

/** What the operator's link has behind the `#`. */
export async function printCode({ ctx }: TestCluster, operator = 'tester'): Promise<string> {
  const { out = '', err = '' } = await runAdminCommand(ctx, ['console'], { operator });
  const code = /^http:\/\/127\.0\.0\.1:3400\/console\/open#([\w-]{43})$/m.exec(out)?.[1];
  if (code === undefined) throw new Error(`no link: ${out}${err}`);
  return code;
}
