import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { devRoot } from './folders.ts';
import { withLock } from './lock.ts';
import { run } from './run.ts';

/** Installs missing packages and changes nothing else. */
export async function installDebian(packages: string[]): Promise<void> {
  if (listMissing(packages).length === 0) return;
  await withLock(join(devRoot, 'apt.lock'), async () => {
    const missing = listMissing(packages);
    if (missing.length === 0) return;
    await runAsRoot(missing, ['apt-get', '-q', 'update']);
    if (missing.some((name) => /^postgresql-\d+$/.test(name))) await forbidMainCluster(missing);
    await runAsRoot(missing, ['apt-get', '-q', '-y', '--no-install-recommends', 'install', ...missing]);
  });
}

function listMissing(packages: string[]): string[] {
  const paragraphs = existsSync('/var/lib/dpkg/status')
    ? readFileSync('/var/lib/dpkg/status', 'utf8').split('\n\n')
    : [];
  const installed = new Set(
    paragraphs
      .filter((text) => text.includes('\nStatus: install ok installed\n'))
      .map((text) => /^Package: (.*)$/m.exec(text)?.[1]),
  );
  return packages.filter((name) => !installed.has(name));
}

/** Prevents Debian from starting a cluster of its own on 5432 when PostgreSQL is installed. */
async function forbidMainCluster(wanted: string[]): Promise<void> {
  await runAsRoot(wanted, ['apt-get', '-q', '-y', '--no-install-recommends', 'install', 'postgresql-common']);
  const edit = 's/^#?create_main_cluster.*/create_main_cluster = false/';
  await runAsRoot(wanted, ['sed', '-ri', edit, '/etc/postgresql-common/createcluster.conf']);
}

async function runAsRoot(wanted: string[], command: string[]): Promise<void> {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [program, ...args] = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', ...command];
  try {
    await run(program!, args);
  } catch (error) {
    if (sudo.length === 0) throw error;
    throw new Error(`Please install these Debian packages and try again: ${wanted.join(' ')}`, { cause: error });
  }
}
