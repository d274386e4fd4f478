/** Functions of the Debian installer, each run alone in a shell. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { repoRoot } from '../servers/folders.ts';

const execute = promisify(execFile);
const SCRIPT = join(repoRoot, 'deploy/debian/install.sh');

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'dostar-install-'));
});
afterEach(() => rm(place, { recursive: true }));

/** The script without its last lines, which check the user and start; then the lines given. */
async function call(lines: string): Promise<string> {
  const text = await readFile(SCRIPT, 'utf8');
  const functions = text.slice(0, text.indexOf('[ "$(id -u)" -eq 0 ]')).replaceAll('${BASH_SOURCE[0]}', SCRIPT);
  const { stdout } = await execute('bash', ['-c', `${functions}\n${lines}`]);
  return stdout;
}

/** Stands for apt: "fetches" what the file `newest` says, and fails without one. */
async function offer(version: string): Promise<void> {
  await mkdir(join(place, 'tools'), { recursive: true });
  const fetch = `set -e; mkdir -p "$1/usr/sbin"; cp ${place}/newest "$1/$4"; chmod 755 "$1/$4"`;
  await writeFile(join(place, 'tools/debian-get.sh'), fetch);
  await writeFile(join(place, 'newest'), version);
}
const installNats = () =>
  call(`bundle=${place} program=${place}/program; mkdir -p $program; install_nats; echo $changes`);
const readInstalled = () => readFile(join(place, 'program/nats/usr/sbin/nats-server'), 'utf8');

describe('NATS', () => {
  test('is updated by every run, and not touched where it is the newest', async () => {
    await offer('2.15.1');
    expect(await installNats()).toContain('installed NATS\n1');
    expect(await installNats()).toBe('0\n');
    await offer('2.15.2');
    expect(await installNats()).toContain('installed NATS\n1');
    expect(await readInstalled()).toBe('2.15.2');
  });

  test('stays where no newer one can be fetched, and is required the first time', async () => {
    await offer('2.15.1');
    await rm(join(place, 'newest'));
    await expect(installNats()).rejects.toThrow('NATS could not be fetched.');
    await offer('2.15.1');
    await installNats();
    await rm(join(place, 'newest'));
    expect(await installNats()).toMatch(/the installed one stays\n0/);
    expect(await readInstalled()).toBe('2.15.1');
  });
});
