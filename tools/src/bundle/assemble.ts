/**
 * Assembles a production bundle: the sources of the server and of the assistant, which Node runs as they are, the built
 * pages, their packages, the pinned Node, and the installation scripts. It contains no compiler, package manager or
 * test.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { copyFile, copyTree, link } from './copy-tree.ts';
import { readPinnedNode, type Architecture } from './architecture.ts';
import { writeLicences } from './licences.ts';
import { FILES_LIST, listFiles } from './list-files.ts';
import { compare, describeLink, listPackages } from './packages.ts';
import type { InstalledPackage } from './packages.ts';
import { readIntegrity, writeSbom } from './sbom.ts';

/** Programs that run in production; the workspace packages they need follow from them. */
const programs = ['apps/server', 'apps/amadeus'];
const built = 'apps/web/build/client';
/** Other files: the assistant's tutorials, the operator's handbook, and the installation scripts. */
const others = [
  ...['en', 'kz', 'ru'].map((code) => `apps/web/src/locales/${code}/tutorials.json`),
  'LICENSE',
  'tools/debian-get.sh',
];
const folders = ['deploy', 'docs/self-host', 'docs/operate'];

/** Types, source maps and documents of packages, which are not read at run time. One file collects all licences. */
const isDocumentation = /\.(?:d\.[cm]?ts|map|md|markdown|tsbuildinfo)$|(?:^|\/)\.bin$/i;
const isTest = /\.test\.tsx?$/;

export interface Bundle {
  /** The commit from which it was built. */
  build: string;
  /** SHA-256 of the list of everything the browser runs. */
  fingerprint: string;
  node: string;
  packages: InstalledPackage[];
}

export interface AssembleOptions {
  root: string;
  folder: string;
  architecture: Architecture;
  /** Path of the official Node archive to include: the pinned version for this processor. */
  runtime: string;
  hash: (file: string) => Promise<string>;
}

export async function assemble({ root, folder, architecture, runtime, hash }: AssembleOptions): Promise<Bundle> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packages = listPackages(root, programs);
  for (const one of packages) copyPackage(root, folder, one);
  for (const one of packages) {
    for (const need of one.dependencies) {
      const { path, target } = describeLink(one, need);
      link(target, join(folder, path));
    }
  }
  copyTree(join(root, built), join(folder, built), () => true);
  for (const name of folders) copyTree(join(root, name), join(folder, name), () => true);
  for (const file of others) copyFile(join(root, file), join(folder, file));
  copyFile(join(runtime, 'bin/node'), join(folder, 'node/bin/node'));
  copyFile(join(runtime, 'LICENSE'), join(folder, 'node/LICENSE'));

  const { build } = readJson(join(root, built, 'version.json')) as { build: string };
  const { version } = readJson(join(root, 'package.json')) as { version: string };
  const { version: node } = readPinnedNode(root, architecture);
  const fingerprint = await hash(join(root, built, 'manifest.json'));
  const browser = listPackages(root, ['apps/web']);
  const integrity = readIntegrity(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'));
  const all = [...new Map([...packages, ...browser].map((one) => [one.folder, one])).values()];
  write(folder, 'sbom.cdx.json', writeSbom({ build, node, server: packages, browser, integrity }));
  write(
    folder,
    'LICENCES.txt',
    writeLicences(
      root,
      all.toSorted((a, b) => compare(a.folder, b.folder)),
    ),
  );
  const about = { name: 'dostar', version, build, architecture, node, fingerprint };
  write(folder, 'bundle.json', `${JSON.stringify(about, null, 2)}\n`);
  write(folder, FILES_LIST, await listFiles(folder, hash));
  return { build, fingerprint, node, packages };
}

function copyPackage(root: string, folder: string, one: InstalledPackage): void {
  const from = join(root, one.folder);
  const to = join(folder, one.folder);
  if (!one.isOurs) {
    copyTree(from, to, (path) => !isDocumentation.test(path));
    return;
  }
  copyFile(join(from, 'package.json'), join(to, 'package.json'));
  copyTree(join(from, 'src'), join(to, 'src'), (path) => !isTest.test(path));
  if (basename(one.folder) === 'server') copyTree(join(from, 'migrations'), join(to, 'migrations'), () => true);
}

function write(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o644);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
