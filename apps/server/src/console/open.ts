/**
 * How a session begins and ends. The link leads to a page with a button: a program that only fetches links uses none up.
 * The secret is behind the `#`, so no request and no log has it.
 */
import type { Context } from '../context.ts';
import { endConsoleSession, startConsoleSession } from '../features/operations/console-sessions/service.ts';
import type { RateLimit } from '../platform/concurrency/rate-limits.ts';
import { html } from './html.ts';
import type { ConsoleHttp } from './http.ts';
import type { Page } from './page.ts';

const OPEN_PATH = '/console/open';
const ATTEMPTS: RateLimit = { name: 'console-open', points: 20, perSeconds: 60, scope: 'process' };

/** Fills in the code of the link and removes it from the address. Without it people paste the code themselves. */
const SCRIPT =
  "if(location.hash.length>1){document.getElementById('code').value=location.hash.slice(1);" +
  "history.replaceState(null,'',location.pathname)}document.querySelector('button').focus()";

export function addOpenRoutes(http: ConsoleHttp, ctx: Context): void {
  http.add({ method: 'GET', path: '/', auth: 'link', handle: async () => '/console' });
  http.add({ method: 'GET', path: OPEN_PATH, auth: 'link', handle: async () => showForm() });
  http.add({
    method: 'POST',
    path: OPEN_PATH,
    auth: 'link',
    limit: ATTEMPTS,
    async handle({ form, setCookie }) {
      const session = await startConsoleSession(ctx, form.get('code')?.trim() ?? '');
      ctx.security.note({ event: 'console_opened', outcome: session ? 'success' : 'failure', route: OPEN_PATH });
      if (!session) return { ...showForm('The link was used before, or is older than 10 minutes.'), status: 401 };
      setCookie(session.token);
      return '/console';
    },
  });
  http.add({
    method: 'POST',
    path: '/console/sign-out',
    auth: 'session',
    async handle({ session, setCookie }) {
      await endConsoleSession(ctx, session);
      setCookie(undefined);
      return OPEN_PATH;
    },
  });
}

function showForm(problem?: string): Page {
  return {
    title: 'Open the console',
    script: SCRIPT,
    body: html`<div class="narrow">
      ${problem === undefined ? undefined : html`<p class="card notice failed" role="alert">${problem}</p>`}
      <form class="card" method="post" action="${OPEN_PATH}">
        <p>
          <label
            >One-time code
            <input id="code" name="code" required autocomplete="off" autocapitalize="off" spellcheck="false"
          /></label>
        </p>
        <button class="main">Open the console</button>
      </form>
      <p class="muted">
        The link that <code>dostar admin console</code> prints on the server fills in the code. It works once, within 10
        minutes.
      </p>
    </div>`,
  };
}
