import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repoRoot } from '../servers/folders.ts';

/** Debian packages by the program that the server starts. */
const PACKAGES: Record<string, string> = { 'heif-enc': 'libheif-examples' };

function read(path: string): string {
  return readFileSync(join(repoRoot, path), 'utf8');
}

function listPrograms(): string[] {
  const folder = join(repoRoot, 'apps/server/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const found = files.flatMap((file) => [
    ...readFileSync(join(folder, file), 'utf8').matchAll(/\b(?:spawn|execFile)\(\s*'([^']+)'/g),
  ]);
  // Paths are left out: every Debian has those programs.
  return [...new Set(found.map(([, program = '']) => program))].filter((program) => !program.includes('/'));
}

test('both installations bring every program that the server starts', () => {
  const programs = listPrograms();
  expect(programs).toContain('heif-enc');
  for (const program of programs) {
    const name = PACKAGES[program];
    expect([program, name]).not.toEqual([program, undefined]);
    expect(read('deploy/debian/install.sh')).toContain(` ${name}`);
    expect(read('deploy/image/Containerfile')).toContain(` ${name}`);
    expect(read('docs/self-host/requirements.md')).toContain(program);
  }
});
