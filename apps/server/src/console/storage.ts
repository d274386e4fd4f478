/** What files take, and whose. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../context.ts';
import { findUsername } from '../features/identity/usernames/service.ts';
import { listLargestAccounts, sumStorage } from '../features/messaging/attachments/service.ts';
import type { StoredFiles } from '../features/messaging/attachments/service.ts';
import { formatBytes, formatCount } from './format.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import type { ConsoleHttp } from './http.ts';
import { linkAccount } from './parts.ts';
import { runView } from './run-command.ts';

const MAX_LISTED = 20;

export function addStorageRoutes(http: ConsoleHttp, ctx: Context): void {
  http.add({
    method: 'GET',
    path: '/console/storage',
    auth: 'session',
    async handle({ session }) {
      const largest = await runView(ctx, session, 'console storage', async () => {
        const accounts = await listLargestAccounts(ctx, MAX_LISTED);
        return Promise.all(accounts.map(async (each) => ({ ...each, name: await findUsername(ctx, each.account) })));
      });
      const { blobQuotaBytes, blobQuotaTotalBytes: limit } = ctx.policy;
      return {
        title: 'Storage',
        body: html`<div class="cards">
            ${showTotal(await sumStorage(ctx), limit)}
            <section class="card">
              <h2 class="muted">One account</h2>
              <p class="figure">${formatBytes(blobQuotaBytes)}</p>
              <p class="muted">may store at most (<code>BLOB_QUOTA_BYTES</code>)</p>
            </section>
            ${showDisk(await ctx.blobs.freeRatio())}
          </div>
          <section class="card">
            <h2>Accounts that store most</h2>
            ${largest.length === 0 ? html`<p class="muted">No account stores files.</p>` : listAccounts(largest)}
          </section>`,
      };
    },
  });
}

function showTotal(bytes: number, limit: number | undefined): Html {
  const share =
    limit === undefined
      ? html`<p class="muted">no limit is set (<code>BLOB_QUOTA_TOTAL_BYTES</code>)</p>`
      : html`<meter min="0" max="${limit}" high="${limit * 0.9}" value="${bytes}">${bytes}</meter>
          <p class="muted">of ${formatBytes(limit)} (<code>BLOB_QUOTA_TOTAL_BYTES</code>)</p>`;
  return html`<section class="card">
    <h2 class="muted">All accounts</h2>
    <p class="figure">${formatBytes(bytes)}</p>
    ${share}
  </section>`;
}

/** An object store does not say. */
function showDisk(free: number | undefined): Html | undefined {
  if (free === undefined) return undefined;
  return html`<section class="card">
    <h2 class="muted">Disk of the files</h2>
    <p class="figure">${Math.round(free * 100)}%</p>
    <p class="muted">free</p>
  </section>`;
}

function listAccounts(accounts: (StoredFiles & { account: AccountId; name: string | undefined })[]): Html {
  const rows = accounts.map(
    ({ account, name, bytes, files }) =>
      html`<tr>
        <td>${linkAccount(account, name)}</td>
        <td class="number" data-name="Size">${formatBytes(bytes)}</td>
        <td class="number" data-name="Files">${formatCount(files)}</td>
      </tr>`,
  );
  return html`<table class="stack">
    <thead>
      <tr>
        <th>Account</th>
        <th class="number">Size</th>
        <th class="number">Files</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}
