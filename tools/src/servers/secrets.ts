import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devRoot, repoRoot } from './folders.ts';

/** Creates the secrets of development and tests at the first start and keeps them in .dev. */
export function ensureSecrets(): {
  SECRET_KEY_FILE: string;
  OPAQUE_SETUP_FILE: string;
  VAPID_KEY_FILE: string;
} {
  return {
    SECRET_KEY_FILE: ensureFile('secret-key', () => randomBytes(32).toString('base64')),
    OPAQUE_SETUP_FILE: ensureFile('opaque-setup', () => runServerFile('opaque-setup.ts')),
    VAPID_KEY_FILE: ensureFile('vapid-key', () => runServerFile('vapid-key.ts')),
  };
}

function runServerFile(name: string): string {
  return execFileSync(process.execPath, [`apps/server/src/${name}`], { cwd: repoRoot, encoding: 'utf8' }).trim();
}

/** The assistant's password, which the server never gets. */
export function ensureAssistantPassword(): string {
  return ensureFile('amadeus-password', () => randomBytes(24).toString('base64url'));
}

function ensureFile(name: string, make: () => string): string {
  const path = join(devRoot, name);
  if (existsSync(path)) return path;
  mkdirSync(devRoot, { recursive: true });
  try {
    writeFileSync(path, `${make()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // Another process created the file first: its secret is used.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return path;
}
