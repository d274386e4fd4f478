/** The store of files, what it may hold, and the web application. */
import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { loadSiteManifest } from '../../features/operations/site/manifest.ts';
import { readStorageTotal } from '../../features/messaging/attachments/store.ts';
import { openBlobs } from '../../open-context.ts';
import { withLogin } from '../../platform/postgres/database-url.ts';
import { openProbePool, queryBuilder } from '../../platform/postgres/pools.ts';
import type { ShardTables } from '../../platform/postgres/tables/tables.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { codeOf } from './finding.ts';
import type { Check, Finding, CheckInput } from './finding.ts';

/** The threshold of the alert DiskFull. */
const MIN_FREE = 0.1;
/** The threshold of the alert StorageLimitNear. */
const MAX_STORED = 0.9;
const TIMEOUT_MS = 15_000;

export const fileChecks: Check[] = [
  { part: 'files', needsSecrets: true, run: checkStore },
  { part: 'disk', run: checkDisk },
  { part: 'storage', skip: describeNoLimit, run: checkStorage },
  { part: 'web', run: checkWeb },
];

/** Stores a small blob, reads it back and deletes it. */
async function checkStore({ config, secrets }: CheckInput): Promise<Finding[]> {
  if (!secrets) return [];
  const location =
    config.S3_ENDPOINT === undefined ? `the folder ${config.BLOBS_DIR}` : `the object store ${config.S3_ENDPOINT}`;
  try {
    using blobs = await openBlobs(config, secrets);
    return (await keepsBytes(blobs))
      ? []
      : [{ problem: `${location} returns other bytes than it was given`, remedy: 'check its disk' }];
  } catch (error) {
    return [
      {
        problem: `nothing can be stored in ${location} (${codeOf(error)})`,
        remedy:
          config.S3_ENDPOINT === undefined
            ? "make the server's user the owner of BLOBS_DIR, free disk space, and run this as that user"
            : 'start it, correct S3_ENDPOINT and S3_BUCKET, or rotate s3-credentials; migrate creates a missing bucket',
      },
    ];
  }
}

async function keepsBytes(blobs: BlobStore): Promise<boolean> {
  const bytes = Buffer.from('a file of the doctor');
  const blob = randomUUID();
  const handle = await blobs.begin(blob, bytes.length);
  const upload = { blob, handle };
  try {
    const taken = await blobs.put(upload, 0, Readable.from([bytes]), bytes.length);
    await taken.keep();
    await blobs.finish(upload);
    return bytes.equals(await buffer(blobs.read(blob, 0, bytes.length - 1)));
  } finally {
    await blobs.delete(upload);
  }
}

/** Skips an object store, which monitors its own disk. */
async function checkDisk({ config }: CheckInput): Promise<Finding[]> {
  if (config.S3_ENDPOINT !== undefined) return [];
  // The folder may be missing before the first file; its parent is on the same disk.
  const disk = await statfs(config.BLOBS_DIR).catch(() => statfs(dirname(config.BLOBS_DIR)).catch(() => undefined));
  if (!disk) return [];
  const free = disk.bavail / disk.blocks;
  if (free >= MIN_FREE) return [];
  return [
    {
      problem: `the disk of ${config.BLOBS_DIR} has ${Math.round(free * 100)} percent left`,
      remedy: 'free disk space or take a larger disk; docs/operate/runbooks.md says what usually grows',
    },
  ];
}

function describeNoLimit({ config }: CheckInput): string | undefined {
  return config.BLOB_QUOTA_TOTAL_BYTES === undefined ? 'BLOB_QUOTA_TOTAL_BYTES sets no limit' : undefined;
}

/** Reads the totals of the shards that answer; the part `databases` reports the others. */
async function checkStorage({ config, secrets }: CheckInput): Promise<Finding[]> {
  const limit = config.BLOB_QUOTA_TOTAL_BYTES!;
  const totals = await Promise.all(
    config.SHARD_URLS.map(async ({ url }) => {
      const address = withLogin(url, { password: secrets?.databasePassword });
      await using db = queryBuilder<ShardTables>(openProbePool({ url: address, timeoutMs: TIMEOUT_MS }));
      return await readStorageTotal(db).catch(() => 0);
    }),
  );
  const share = totals.reduce((all, one) => all + one, 0) / limit;
  if (share <= MAX_STORED) return [];
  return [
    {
      problem: `files take ${Math.round(share * 100)} percent of BLOB_QUOTA_TOTAL_BYTES; at 100 uploads are refused`,
      remedy:
        'raise BLOB_QUOTA_TOTAL_BYTES if the disk has room, or lower BLOB_QUOTA_BYTES and ask people to delete files',
    },
  ];
}

async function checkWeb({ config }: CheckInput): Promise<Finding[]> {
  if (!config.ROLES.includes('site')) return [];
  const manifest = await loadSiteManifest(config.WEB_ROOT).catch((error: unknown) => error as Error);
  if (manifest === undefined) {
    return [
      {
        problem: `there is no web application in ${config.WEB_ROOT}`,
        remedy: 'correct WEB_ROOT, or install the bundle again',
      },
    ];
  }
  if (manifest instanceof Error) {
    return [
      {
        problem: `site.json in ${config.WEB_ROOT} is of another version`,
        remedy: 'install server and web application from one bundle',
      },
    ];
  }
  return [];
}
