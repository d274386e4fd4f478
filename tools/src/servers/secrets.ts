import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devRoot, repoRoot } from './folders.ts';

/** The server has no secrets of its own; those of development and tests are made at the first start and stay here. */
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

/** The assistant's own, which the server never sees. */
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
    // Another terminal was faster: its secret is as good.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return path;
}
