import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repoRoot } from '../servers/folders.ts';

const execute = promisify(execFile);
let workDir: string;
let called: string;

/** Replaces `restic` with a script that records its arguments. */
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'dostar-backup-'));
  called = join(workDir, 'called');
  await mkdir(join(workDir, 'bin'));
  const fake = join(workDir, 'bin/restic');
  await writeFile(fake, `#!/bin/sh\necho "$@" >> ${called}\n`);
  await chmod(fake, 0o755);
});
afterAll(() => rm(workDir, { recursive: true }));

async function backUp(configuration: string): Promise<string> {
  const file = join(workDir, 'backup.conf');
  await writeFile(file, `${configuration}\nREPO=${workDir}/repo\nSTATE=${workDir}/state\n`);
  await writeFile(called, '');
  const env = { ...process.env, PATH: `${workDir}/bin:${process.env['PATH']}`, DOSTAR_BACKUP_CONF: file };
  await execute(join(repoRoot, 'deploy/backup/dostar-backup'), ['files'], { env });
  return (await readFile(called, 'utf8')).split('\n').find((line) => line.includes(' backup '))!;
}

test('the example leaves out the key of the backups and the secrets', async () => {
  const example = await readFile(join(repoRoot, 'deploy/backup/backup.conf'), 'utf8');
  const line = await backUp(example);
  expect(line).toContain('--exclude /etc/dostar/backup.key --exclude /etc/dostar/secrets');
  expect(line).toMatch(/ \/var\/lib\/dostar \/etc\/dostar$/);
});

test('the key is left out even if nothing else is', async () => {
  const line = await backUp(`KEY_FILE=${workDir}/key\nCLUSTERS="main=/x:1"\nFOLDERS="${workDir}"`);
  expect(line).toContain(`--exclude ${workDir}/key ${workDir}`);
});
