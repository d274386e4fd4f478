/** A browser with its own profile folder, and searches for keys in the files of that folder. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type TestInfo } from '@playwright/test';

export interface BrowserProfile extends AsyncDisposable {
  folder: string;
  origin: string;
  context: BrowserContext;
}

export async function openBrowserProfile(info: TestInfo, origin: string): Promise<BrowserProfile> {
  return launch(info, origin, await mkdtemp(join(tmpdir(), 'dostar-profile-')));
}

/** Opens the closed browser again with the same folder. */
export async function reopenBrowserProfile(
  info: TestInfo,
  { origin, folder }: BrowserProfile,
): Promise<BrowserProfile> {
  return launch(info, origin, folder);
}

async function launch(info: TestInfo, origin: string, folder: string): Promise<BrowserProfile> {
  const context = await chromium.launchPersistentContext(folder, {
    ...info.project.use.launchOptions,
    executablePath: '/usr/bin/chromium',
    baseURL: origin,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  return {
    folder,
    origin,
    context,
    async [Symbol.asyncDispose]() {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Lists the files that contain one of these secrets: as bytes, hex or base64. */
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

/**
 * Chromium's serialization of a 32-byte AES `CryptoKey` in IndexedDB begins with these bytes. The unencrypted key
 * follows, even if it is not extractable.
 */
const CLONED_KEY = Buffer.from([0x5c, 0x4b, 0x01, 0x09, 0x20]);

/** Lists the files of IndexedDB that contain a `CryptoKey`. */
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
    // The running browser may delete a file at any moment.
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes !== undefined) yield [file.slice(folder.length + 1), bytes];
  }
}
