/** The process that draws pictures can reach only its program, whatever code runs in it. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confine } from '../src/platform/pictures/confine.ts';

const run = promisify(execFile);

let folder: string;
let secret: string;
let scratch: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confine-'));
  secret = join(folder, 'secret-key');
  await writeFile(secret, 'the secret');
  scratch = await mkdtemp(join(folder, 'scratch-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function runConfined(...program: string[]): Promise<string> {
  const [first = '', ...args] = await confine(program, scratch);
  const { stdout } = await run(first, args);
  return stdout;
}

test('it can not read a secret that its user may read', async () => {
  expect((await run('/bin/cat', [secret])).stdout).toBe('the secret');
  await expect(runConfined('/bin/cat', secret)).rejects.toThrow('Permission denied');
  await expect(runConfined('/bin/ls', folder)).rejects.toThrow('Permission denied');
});

test('it can not read the environment or the memory of the server', async () => {
  for (const file of ['environ', 'mem', 'maps'])
    await expect(runConfined('/bin/cat', `/proc/${process.pid}/${file}`)).rejects.toThrow('Permission denied');
});

test('it writes to its own folder and nowhere else', async () => {
  await runConfined('/bin/sh', '-c', `echo drawn > ${scratch}/picture`);
  expect(await readFile(join(scratch, 'picture'), 'utf8')).toBe('drawn\n');
  await expect(runConfined('/bin/sh', '-c', `echo drawn > ${folder}/elsewhere`)).rejects.toThrow('Permission denied');
});

test('it is still confined in a program that it starts', async () => {
  await expect(runConfined('/bin/sh', '-c', `/bin/sh -c "cat ${secret}"`)).rejects.toThrow('Permission denied');
});

test('it starts Node with its own program', async () => {
  expect(await runConfined(process.execPath, '-e', 'console.log(1 + 1)')).toBe('2\n');
});
