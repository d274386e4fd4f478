import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devRoot } from '../servers/folders.ts';

/** The server has no secret of its own; development's is made at the first start and stays on this machine. */
export function ensureSecretKey(): string {
  const path = join(devRoot, 'secret-key');
  if (existsSync(path)) return path;
  mkdirSync(devRoot, { recursive: true });
  try {
    writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // Another terminal was faster: its key is as good.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return path;
}
