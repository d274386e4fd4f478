/** Invites of the operator. */
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { ConsoleSession } from '../features/operations/console-sessions/service.ts';
import { listOperatorInvites } from '../features/identity/sign-up-invites/service.ts';
import type { OperatorInvite } from '../features/identity/sign-up-invites/service.ts';
import { formatTime } from './format.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import type { ConsoleHttp } from './http.ts';
import type { Page } from './page.ts';
import { showNotice } from './parts.ts';
import type { Notice } from './parts.ts';
import { runCommand, runView } from './run-command.ts';

const PATH = '/console/invites';
const OPTIONS = ['uses', 'days', 'email', 'note'];

export function addInviteRoutes(http: ConsoleHttp, ctx: Context): void {
  http.add({ method: 'GET', path: PATH, auth: 'session', handle: ({ session }) => showInvites(ctx, session) });
  http.add({
    method: 'POST',
    path: `${PATH}/create`,
    auth: 'session',
    async handle({ session, form }) {
      // With the equals sign a value can't be taken for an option.
      const given = OPTIONS.map((name) => [name, form.get(name)?.trim() ?? ''] as const);
      const options = given.filter(([, value]) => value !== '').map(([name, value]) => `--${name}=${value}`);
      const { isDone, text } = await runCommand(ctx, session, ['invite', ...options]);
      return showInvites(ctx, session, { isDone, text: isDone ? describeLink(text) : text });
    },
  });
  http.add({
    method: 'POST',
    path: `${PATH}/revoke`,
    auth: 'session',
    async handle({ session, form }) {
      const { isDone } = await runCommand(ctx, session, ['invites', 'revoke', z.uuid().parse(form.get('invite'))]);
      const text = isDone ? 'The invite is revoked.' : 'That invite was revoked before, or has expired.';
      return showInvites(ctx, session, { isDone, text });
    },
  });
}

async function showInvites(ctx: Context, session: ConsoleSession, notice?: Notice): Promise<Page> {
  const invites = await runView(ctx, session, 'invites', () => listOperatorInvites(ctx));
  return {
    title: 'Invites',
    body: html`${showNotice(notice)}
      <form class="card" method="post" action="${PATH}/create">
        <h2>New invite</h2>
        ${describePolicy(ctx)}
        <div class="row">
          <label>People <input name="uses" type="number" min="1" max="10000" value="1" required /></label>
          <label>Days <input name="days" type="number" min="1" max="365" value="7" required /></label>
          <label>Email (optional) <input name="email" type="email" autocomplete="off" /></label>
          <label>Note for you (optional) <input name="note" maxlength="200" autocomplete="off" /></label>
          <button class="main">Make the link</button>
        </div>
      </form>
      <section class="card">
        <h2>Your invites</h2>
        ${invites.length === 0 ? html`<p class="muted">There are none.</p>` : listInvites(invites)}
      </section>`,
  };
}

function describePolicy({ policy }: Context): Html {
  return policy.signUps === 'open'
    ? html`<p class="muted">Sign-ups are open: people need no invite.</p>`
    : html`<p class="muted">A link lets people sign up. It is shown once, because the server keeps only a hash.</p>`;
}

function describeLink(link: string): Html {
  return html`<label>
    Send this link. It can’t be shown again.
    <input readonly value="${link}" />
  </label>`;
}

function listInvites(invites: OperatorInvite[]): Html {
  const rows = invites.map(
    ({ id, expiresAt, uses, usesLeft, email, note }) =>
      html`<tr>
        <td data-name="Until">${formatTime(expiresAt)}</td>
        <td data-name="Uses left">${usesLeft} of ${uses}</td>
        <td data-name="Email">${email ?? 'any'}</td>
        <td data-name="Note">${note ?? '–'}</td>
        <td>
          <form method="post" action="${PATH}/revoke">
            <input type="hidden" name="invite" value="${id}" />
            <button class="danger" aria-label="Revoke the invite ${note ?? email ?? id}">Revoke</button>
          </form>
        </td>
      </tr>`,
  );
  return html`<table class="stack">
    <thead>
      <tr>
        <th>Until</th>
        <th>Uses left</th>
        <th>Email</th>
        <th>Note</th>
        <th><span class="hidden">Acts</span></th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}
