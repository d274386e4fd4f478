import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { devRoot, repoRoot } from './folders.ts';
import { withLock } from './lock.ts';
import { run } from './run.ts';

interface Wanted {
  /** The folder in .dev to unpack to. */
  name: string;
  suite: 'bookworm' | 'trixie' | 'forky';
  package: string;
  file: string;
}

/** Returns the path of a file of a Debian package, downloaded once and not installed. */
export async function unpackDebian({ name, suite, package: wanted, file }: Wanted): Promise<string> {
  const home = join(devRoot, name);
  const binary = join(home, file);
  const args = [join(repoRoot, 'tools/debian-get.sh'), home, suite, wanted, file];
  if (!existsSync(binary)) await withLock(join(devRoot, `${name}.lock`), () => run('sh', args));
  return binary;
}
