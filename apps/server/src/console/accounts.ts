/** Finding, disabling, enabling and deleting an account. */
import { AccountId } from '@dostar/protocol/ids';
import { readAccount } from '../cli/account-summary.ts';
import type { AccountSummary } from '../cli/account-summary.ts';
import { AccountRef, findAccount } from '../cli/find-account.ts';
import type { Context } from '../context.ts';
import type { ConsoleSession } from '../features/operations/console-sessions/service.ts';
import { formatBytes, formatCount, formatTime } from './format.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import type { ConsoleHttp } from './http.ts';
import type { Page } from './page.ts';
import { showNotice } from './parts.ts';
import type { Notice } from './parts.ts';
import { runCommand, runView } from './run-command.ts';

const PATH = '/console/accounts';
const DONE = {
  disable: 'The account is disabled and signed out everywhere.',
  enable: 'The user may sign in again.',
  delete: 'The account is deleted.',
};

export function addAccountRoutes(http: ConsoleHttp, ctx: Context): void {
  http.add({ method: 'GET', path: PATH, auth: 'session', handle: async () => showSearch() });
  http.add({
    method: 'POST',
    path: `${PATH}/find`,
    auth: 'session',
    handle: ({ session, form }) => findPage(ctx, session, form.get('who')?.trim() ?? ''),
  });
  for (const act of ['disable', 'enable'] as const) {
    http.add({
      method: 'POST',
      path: `${PATH}/${act}`,
      auth: 'session',
      async handle({ session, form }) {
        const account = AccountId.parse(form.get('account'));
        const { isDone, text } = await runCommand(ctx, session, ['accounts', act, account]);
        return showAccount(await readAccount(ctx, account), { isDone, text: isDone ? DONE[act] : text });
      },
    });
  }
  http.add({
    method: 'POST',
    path: `${PATH}/delete`,
    auth: 'session',
    async handle({ session, form }) {
      const account = AccountId.parse(form.get('account'));
      if (form.get('confirm')?.trim() !== 'delete') {
        const text = 'Nothing was deleted. Type the word “delete” to confirm.';
        return showAccount(await readAccount(ctx, account), { isDone: false, text });
      }
      const { isDone, text } = await runCommand(ctx, session, ['accounts', 'delete', account]);
      return showSearch({ isDone, text: isDone ? DONE.delete : text });
    },
  });
}

async function findPage(ctx: Context, session: ConsoleSession, who: string): Promise<Page> {
  const ref = AccountRef.safeParse(who);
  const none = { isDone: false, text: 'No account has that name, address or id.' };
  if (!ref.success) return showSearch(none);
  return runView(ctx, session, 'accounts find', async ({ about }) => {
    const account = await findAccount(ctx, ref.data);
    const found = account === undefined ? undefined : await readAccount(ctx, account).catch(ignoreUnknown);
    if (!found) return showSearch(none);
    await about(found.account);
    return showAccount(found);
  });
}

/** An id that no account has. */
function ignoreUnknown(error: unknown): undefined {
  if ((error as { code?: unknown }).code !== 'unknown_account') throw error;
}

function showSearch(notice?: Notice): Page {
  return {
    title: 'Accounts',
    body: html`${showNotice(notice)}
      <form class="card row narrow" method="post" action="${PATH}/find">
        <label>
          Username, email address or account id
          <input name="who" required autocomplete="off" autocapitalize="off" spellcheck="false" />
        </label>
        <button class="main">Find</button>
      </form>
      <p class="muted">An account is found by its whole name, address or id only. Each search is in the audit log.</p>`,
  };
}

const STATES: Record<AccountSummary['state'], string> = {
  whole: 'active',
  half: 'sign-up is not complete',
  disabled: 'disabled',
  'being deleted': 'being deleted',
};

function showAccount(found: AccountSummary, notice?: Notice): Page {
  const { account, username, email, state, disabledAt, seenAt } = found;
  const reports = found.reports === 0 ? 'none' : `${formatCount(found.reports)}, ${found.openReports} of them open`;
  const address = email ? `${email.address}${email.isVerified ? '' : ', not verified'}` : 'none';
  return {
    title: username ?? 'Account without a username',
    body: html`${showNotice(notice)}
      <section class="card">
        <dl>
          <dt>State</dt>
          <dd class="${state === 'whole' ? 'ok' : 'problem'}">
            ${STATES[state]}${disabledAt === undefined ? undefined : html` since ${formatTime(disabledAt)}`}
          </dd>
          <dt>Email</dt>
          <dd>${address}</dd>
          <dt>Last seen</dt>
          <dd>${seenAt === undefined ? 'never' : formatTime(seenAt)}</dd>
          <dt>Sessions</dt>
          <dd>${formatCount(found.sessions)}</dd>
          <dt>Files</dt>
          <dd>${formatBytes(found.stored)}</dd>
          <dt>Reports</dt>
          <dd>${reports}</dd>
          <dt>Account id</dt>
          <dd><code>${account}</code></dd>
          <dt>Stored in</dt>
          <dd>${found.shard}</dd>
        </dl>
      </section>
      ${disabledAt === undefined ? offerDisable(account) : offerEnable(account)} ${offerDelete(account)}
      <p><a href="${PATH}">Find another account</a></p>`,
  };
}

function offerDisable(account: AccountId): Html {
  return html`<section class="card">
    <h2>Disable</h2>
    <p>
      Signs the user out everywhere and refuses new sign-ins. Nothing is deleted, and messages to the account are kept.
    </p>
    <form method="post" action="${PATH}/disable">
      <input type="hidden" name="account" value="${account}" />
      <button class="danger">Disable the account</button>
    </form>
  </section>`;
}

function offerEnable(account: AccountId): Html {
  return html`<section class="card">
    <h2>Enable</h2>
    <p>The user may sign in again, and finds the messages of the meantime.</p>
    <form method="post" action="${PATH}/enable">
      <input type="hidden" name="account" value="${account}" />
      <button>Enable the account</button>
    </form>
  </section>`;
}

function offerDelete(account: AccountId): Html {
  return html`<section class="card">
    <h2>Delete</h2>
    <p>Deletes the account with its messages and files, like the user’s own deletion. It can’t be undone.</p>
    <form class="row" method="post" action="${PATH}/delete">
      <input type="hidden" name="account" value="${account}" />
      <label>
        Type “delete” to confirm
        <input name="confirm" required autocomplete="off" autocapitalize="off" />
      </label>
      <button class="danger">Delete permanently</button>
    </form>
  </section>`;
}
