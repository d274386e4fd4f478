/** The store of files, and the web application. */
import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { loadSiteManifest } from '../../features/operations/site/manifest.ts';
import { openBlobs } from '../../open-context.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { codeOf } from './finding.ts';
import type { Check, Finding, CheckInput } from './finding.ts';

/** The threshold of the alert DiskFull. */
const MIN_FREE = 0.1;

export const fileChecks: Check[] = [
  { part: 'files', needsSecrets: true, run: checkStore },
  { part: 'disk', run: checkDisk },
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
