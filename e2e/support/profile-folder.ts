/** A browser whose profile folder outlives it, and what somebody finds who copies that folder. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type TestInfo } from '@playwright/test';

export interface Profile extends AsyncDisposable {
  folder: string;
  /** Starts the browser; the one before must be closed. */
  start(): Promise<BrowserContext>;
}

export async function makeProfile(info: TestInfo, baseURL: string): Promise<Profile> {
  const folder = await mkdtemp(join(tmpdir(), 'dostar-profile-'));
  let context: BrowserContext | undefined;
  return {
    folder,
    async start() {
      context = await chromium.launchPersistentContext(folder, {
        ...info.project.use.launchOptions,
        executablePath: '/usr/bin/chromium',
        baseURL,
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
      });
      return context;
    },
    async [Symbol.asyncDispose]() {
      await context?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The files that have one of these in them, in the clear or as text. */
export async function findSecrets(folder: string, secrets: Record<string, Buffer>): Promise<string[]> {
  const found: string[] = [];
  for await (const [file, bytes] of readFiles(folder)) {
    for (const [name, secret] of Object.entries(secrets)) {
      const shapes = [secret, ...(['hex', 'base64', 'base64url'] as const).map((code) => secret.toString(code))];
      if (shapes.some((shape) => bytes.includes(shape))) found.push(`${name} in ${file}`);
    }
  }
  return found;
}

/** The start of an AES key of 32 bytes as Chromium writes it into IndexedDB: the key itself follows, exportable or not. */
const CLONED_KEY = Buffer.from([0x5c, 0x4b, 0x01, 0x09, 0x20]);

/** Files with a key object of the browser's in them. */
export async function findKeyObjects(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const [file, bytes] of readFiles(join(folder, 'Default/IndexedDB'))) {
    if (bytes.includes(CLONED_KEY)) found.push(file);
  }
  return found;
}

async function* readFiles(folder: string): AsyncIterable<[file: string, bytes: Buffer]> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    // A browser that runs may delete it at any moment.
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes !== undefined) yield [file.slice(folder.length + 1), bytes];
  }
}
