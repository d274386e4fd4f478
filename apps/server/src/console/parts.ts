/** Parts that several pages have. */
import type { AccountId } from '@dostar/protocol/ids';
import { html } from './html.ts';
import type { Html } from './html.ts';

/** What an act has done, or why it failed. */
export interface Notice {
  isDone: boolean;
  text: string | Html;
}

export function showNotice(notice: Notice | undefined): Html | undefined {
  if (!notice) return undefined;
  return notice.isDone
    ? html`<div class="card notice" role="status">${notice.text}</div>`
    : html`<div class="card notice failed" role="alert">${notice.text}</div>`;
}

/** Opens the account by a form, so that no address has its name or id. */
export function linkAccount(account: AccountId, name: string | undefined): Html {
  return html`<form method="post" action="/console/accounts/find">
    <input type="hidden" name="who" value="${account}" />
    <button class="link">${name ?? account}</button>
  </form>`;
}
