/** Compares the rows, the blob store and the uploads. */
import type { Context } from '../../../../apps/server/src/context.ts';
import { deleteOrphans, sumStorage } from '../../../../apps/server/src/features/messaging/attachments/service.ts';
import { sweepUploads } from '../../../../apps/server/src/features/messaging/attachments/jobs.ts';
import { sweepFiles } from '../../../../apps/server/src/appwrite/files/jobs.ts';
import type { Report } from '../../harness/lib/report.ts';

const TWO_DAYS_MS = 48 * 3_600_000;

/** Runs the sweep with the clock two days ahead. */
export async function collect(ctx: Context): Promise<number> {
  const later: Context = { ...ctx, clock: { now: () => Date.now() + TWO_DAYS_MS } };
  let swept = 0;
  for (let found = -1; found !== 0; swept += found) {
    found = (await sweepFiles(later)) + (await sweepUploads(later));
  }
  return swept + (await deleteOrphans(later, later.clock.now()));
}

interface StorageAccounting {
  /** Blobs of files and previews. */
  wanted: Set<string>;
  rows: Set<string>;
  stored: Set<string>;
  /** The usage that the server counts for each account, and the total size of its files. */
  charged: Map<string, number>;
  measured: Map<string, number>;
}

function add(sums: Map<string, number>, name: string, size: number): void {
  sums.set(name, (sums.get(name) ?? 0) + size);
}

async function readAccounting(ctx: Context): Promise<StorageAccounting> {
  const accounting: StorageAccounting = {
    wanted: new Set(),
    rows: new Set(),
    stored: new Set(),
    charged: new Map(),
    measured: new Map(),
  };
  for (const shard of ctx.shards.all()) {
    const [files, previews, blobs, held] = await shard.query((db) =>
      Promise.all([
        db.selectFrom('file').select(['blob', 'uploader', 'size']).execute(),
        db.selectFrom('preview').select('blob').execute(),
        db.selectFrom('blob').select('owner').execute(),
        db.selectFrom('blob_held').select(['owner', 'charged']).execute(),
      ]),
    );
    for (const { blob, uploader, size } of files) {
      accounting.wanted.add(blob);
      add(accounting.measured, uploader, size);
    }
    for (const { blob } of previews) accounting.wanted.add(blob);
    for (const { owner } of blobs) accounting.rows.add(owner);
    for (const { owner, charged } of held) if (charged > 0) add(accounting.charged, owner, charged);
  }
  for await (const { blob } of ctx.blobs.list()) accounting.stored.add(blob);
  return accounting;
}

export async function checkAccounting(report: Report, ctx: Context): Promise<void> {
  const { wanted, rows, stored, charged, measured } = await readAccounting(ctx);
  const orphans = [...stored].filter((blob) => !wanted.has(blob));
  report.check('no blob in the store without a file', orphans.length === 0, () => orphans.join(', '));
  const unknown = [...rows].filter((blob) => !wanted.has(blob));
  report.check('no blob row without a file', unknown.length === 0, () => unknown.join(', '));
  const lost = [...wanted].filter((blob) => !stored.has(blob) || !rows.has(blob));
  report.check('every blob of a file is in the store', lost.length === 0, () => lost.join(', '));
  for (const account of new Set([...charged.keys(), ...measured.keys()])) {
    const [asked, is] = [charged.get(account) ?? 0, measured.get(account) ?? 0];
    report.check('an account is charged for its files, to the byte', asked === is, () => `${asked} for ${is}`);
  }
  const [total, charges] = [await sumStorage(ctx), [...charged.values()].reduce((all, one) => all + one, 0)];
  report.check(
    'the total of all accounts is the sum of the charges',
    total === charges,
    () => `${total} for ${charges}`,
  );
  report.figure('blobs in the store', stored.size);
}
