import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { judgeAudit } from '../dev/audit.ts';
import { repoRoot } from '../servers/folders.ts';
import { copyTree } from './copy-tree.ts';
import { isAllowed } from './licences.ts';
import { FILES_LIST, listFiles } from './list-files.ts';
import { hashFile, packFolder } from './pack.ts';
import { keyOf, listPackages } from './packages.ts';
import { readIntegrity, writeSbom } from './sbom.ts';

const server = listPackages(repoRoot, ['apps/server', 'apps/amadeus']);
const browser = listPackages(repoRoot, ['apps/web']);

async function fill(folder: string, names: string[]): Promise<void> {
  await mkdir(join(folder, 'deep'), { recursive: true });
  for (const name of names) await writeFile(join(folder, name), `text of ${name}`);
  await symlink('deep', join(folder, 'link'));
}

function describeFound(found: Record<string, number>): string {
  return JSON.stringify({ metadata: { vulnerabilities: found } });
}

describe('the packages of production', () => {
  test('are what the programs import, without tools and tests', () => {
    const names = server.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'ws', '@dostar/protocol', '@dostar/client']));
    for (const tool of ['vite', 'vitest', 'typescript', 'esbuild', 'oxlint', 'maildev', 'fast-check', '@dostar/tools'])
      expect(names).not.toContain(tool);
    expect(names.filter((name) => name.startsWith('@types/'))).toEqual([]);
  });

  test('have licences of the allow-list', () => {
    const others = [...server, ...browser].filter(({ isOurs }) => !isOurs);
    expect(others.filter((one) => !isAllowed(one)).map((one) => `${keyOf(one)}: ${one.licence}`)).toEqual([]);
  });

  test('are refused with any other licence', () => {
    expect(isAllowed({ name: 'x', licence: 'AGPL-3.0' })).toBe(false);
    expect(isAllowed({ name: 'x', licence: 'unknown' })).toBe(false);
    expect(isAllowed({ name: 'x', licence: 'MIT AND GPL-3.0' })).toBe(false);
    expect(isAllowed({ name: 'x', licence: 'LGPL-3.0' })).toBe(false);
    expect(isAllowed({ name: 'x', licence: 'GPL-3.0 OR MIT' })).toBe(true);
  });

  test('are all in the list of materials, each with the hash of the lock file', () => {
    const integrity = readIntegrity(readFileSync(join(repoRoot, 'pnpm-lock.yaml'), 'utf8'));
    const options = { build: 'abc', node: '24.0.0', server, browser, integrity };
    const bom = JSON.parse(writeSbom(options)) as {
      bomFormat: string;
      components: { name: string; purl: string; 'bom-ref': string; hashes?: { content: string }[] }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    };
    expect(bom.bomFormat).toBe('CycloneDX');
    const [node, ...libraries] = bom.components;
    expect(node?.name).toBe('node');
    const expected = new Set([...server, ...browser].filter(({ isOurs }) => !isOurs).map(keyOf));
    expect(libraries).toHaveLength(expected.size);
    for (const { purl, hashes } of libraries) expect(hashes?.[0]?.content, purl).toMatch(/^[\da-f]{128}$/);
    const refs = new Set(bom.dependencies.map(({ ref }) => ref));
    expect(bom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
    expect(writeSbom(options)).toBe(writeSbom(options));
  });
});

describe('a packed folder', () => {
  let place: string;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'dostar-pack-'));
  });
  afterEach(() => rm(place, { recursive: true }));

  test('has the same bytes whatever the times, order and permissions of its files', async () => {
    const names = ['b', 'a', 'deep/z', 'deep/Ä'];
    await fill(join(place, 'one/dostar'), names);
    const before = process.umask(0o077);
    try {
      await fill(join(place, 'two/dostar'), names.toReversed());
    } finally {
      process.umask(before);
    }
    const hashes: string[] = [];
    for (const part of ['one', 'two']) {
      const copy = join(place, part, 'copy/dostar');
      copyTree(join(place, part, 'dostar'), copy, () => true);
      await packFolder(copy, join(place, `${part}.tar.gz`), 1_000_000_000);
      hashes.push(await hashFile(join(place, `${part}.tar.gz`)));
    }
    expect(hashes[0]).toBe(hashes[1]);
  });

  test('has a list of its files that sha256sum agrees with, and nothing else', async () => {
    const folder = join(place, 'dostar');
    await fill(folder, ['b', 'a', 'deep/z']);
    await writeFile(join(folder, FILES_LIST), 'of before');
    const list = await listFiles(folder, hashFile);
    await writeFile(join(folder, FILES_LIST), list);
    expect(list.match(/\S+$/gm)).toEqual(['a', 'b', 'deep/z']);
    const check = (): Promise<unknown> =>
      promisify(execFile)('sha256sum', ['--check', '--strict', FILES_LIST], { cwd: folder });
    await check();
    await writeFile(join(folder, 'deep/z'), 'another');
    await expect(check()).rejects.toThrow('1 computed checksum did NOT match');
  });

  test('differs by one changed character', async () => {
    await fill(join(place, 'dostar'), ['a']);
    await packFolder(join(place, 'dostar'), join(place, 'one.tar.gz'), 1);
    await writeFile(join(place, 'dostar/a'), 'text of b');
    await packFolder(join(place, 'dostar'), join(place, 'two.tar.gz'), 1);
    expect(await hashFile(join(place, 'one.tar.gz'))).not.toBe(await hashFile(join(place, 'two.tar.gz')));
  });
});

describe('an audit', () => {
  test('fails only for serious findings', () => {
    expect(judgeAudit(describeFound({ low: 3, high: 0, critical: 0 }), false)).toMatchObject({ passed: 1, failed: 0 });
    expect(judgeAudit(describeFound({ high: 1, critical: 1 }), true)).toMatchObject({ passed: 0, failed: 2 });
  });

  test('without an answer of the registry fails, unless the machine is meant to be offline', () => {
    expect(judgeAudit('Error: ERR_PNPM_AUDIT_BAD_RESPONSE', false)).toMatchObject({ passed: 0, failed: 1 });
    expect(judgeAudit('Error: ERR_PNPM_AUDIT_BAD_RESPONSE', true)).toMatchObject({ passed: 0, failed: 0 });
  });
});
