import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

export const repoRoot = resolve(import.meta.dirname, '../../..');
export const devRoot = join(repoRoot, '.dev');

export interface SystemUser {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root, so under root it runs as Debian's own user. */
export function findEngineUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  if (!line) throw new Error('There is no user "postgres": install the Debian package postgresql-15.');
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

function canOthersEnter(dir: string): boolean {
  for (let folder = dir; folder !== dirname(folder); folder = dirname(folder)) {
    const mode = statSync(folder, { throwIfNoEntry: false })?.mode;
    if (mode !== undefined && (mode & 0o001) === 0) return false;
  }
  return true;
}

/** The requested folder, or a substitute under /var/tmp if the engine's user cannot reach it (a clone under /root). */
export function chooseFolder(asked: string, user: SystemUser | undefined): string {
  const dir = resolve(asked);
  if (!user || canOthersEnter(dirname(dir))) return dir;
  const inside = relative(repoRoot, dir);
  const isInside = !inside.startsWith('..') && !isAbsolute(inside);
  const hash = createHash('sha256')
    .update(isInside ? repoRoot : dir)
    .digest('hex')
    .slice(0, 12);
  return join('/var/tmp', `dostar-${hash}`, isInside ? inside : '');
}

export function makeFolder(dir: string, user: SystemUser | undefined): void {
  mkdirSync(dir, { recursive: true });
  if (user) chownSync(dir, user.uid, user.gid);
}
