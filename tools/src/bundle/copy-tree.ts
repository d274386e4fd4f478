import { chmodSync, copyFileSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Normalizes permissions: only whether a file is executable is kept. */
export function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, (lstatSync(from).mode & 0o100) === 0 ? 0o644 : 0o755);
}

export function copyTree(from: string, to: string, isWanted: (path: string) => boolean, inside = ''): void {
  for (const name of readdirSync(join(from, inside))) {
    const path = join(inside, name);
    if (!isWanted(path)) continue;
    const status = lstatSync(join(from, path));
    if (status.isDirectory()) copyTree(from, to, isWanted, path);
    else if (status.isSymbolicLink()) link(readlinkSync(join(from, path)), join(to, path));
    else copyFile(join(from, path), join(to, path));
  }
}

export function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
