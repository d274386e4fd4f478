/**
 * The packages that run in production, found in the installed tree. A package can resolve only its own dependencies, so
 * following the links gives exactly the lock file's packages and leaves out the tools'.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface InstalledPackage {
  name: string;
  version: string;
  /** The SPDX expression in its package.json. */
  licence: string;
  /** Path from the root of the repository. */
  folder: string;
  isOurs: boolean;
  /** The folder with the links to its dependencies. */
  links: string;
  dependencies: InstalledPackage[];
}

interface PackageFile {
  name: string;
  version: string;
  license?: unknown;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** In a fixed order, by name and version. */
export function listPackages(root: string, starts: string[]): InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  for (const start of starts) visit(join(realpathSync(root), start));
  return [...found.values()].toSorted((a, b) => compare(keyOf(a), keyOf(b)));

  function visit(place: string): InstalledPackage {
    const known = found.get(place);
    if (known) return known;
    const file = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as PackageFile;
    const folder = relative(realpathSync(root), place);
    const isOurs = !folder.startsWith('node_modules/');
    const links = isOurs ? join(folder, 'node_modules') : folder.slice(0, -file.name.length - 1);
    const made = { name: file.name, version: file.version, licence: readLicence(file), folder, isOurs, links };
    const one: InstalledPackage = { ...made, dependencies: [] };
    found.set(place, one);
    for (const name of listWanted(file, isOurs)) {
      const link = join(root, links, name);
      if (existsSync(join(link, 'package.json'))) one.dependencies.push(visit(realpathSync(link)));
      // Some optional packages do not exist for this machine. A missing required one was not installed.
      else if (file.dependencies?.[name] !== undefined && file.optionalDependencies?.[name] === undefined)
        throw new Error(`${file.name} lacks ${name}: install the packages first.`);
    }
    return one;
  }
}

/** Leaves out types, and optional peers, which are installed only because a tool of ours needs them. */
function listWanted(file: PackageFile, isOurs: boolean): string[] {
  const peers = Object.keys(file.peerDependencies ?? {}).filter(
    (name) => file.peerDependenciesMeta?.[name]?.optional !== true,
  );
  const more = isOurs ? [] : [...Object.keys(file.optionalDependencies ?? {}), ...peers];
  return [...new Set([...Object.keys(file.dependencies ?? {}), ...more])]
    .filter((name) => !name.startsWith('@types/'))
    .toSorted(compare);
}

function readLicence({ license }: PackageFile): string {
  if (typeof license === 'string') return license.replaceAll(/^\(|\)$/g, '');
  return (license as { type?: string } | undefined)?.type ?? 'unknown';
}

export function keyOf({ name, version }: { name: string; version: string }): string {
  return `${name}@${version}`;
}

/** Compares independently of the locale. */
export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Path and target of the link between two packages. The target is relative, so that the bundle may be moved. */
export function describeLink(from: InstalledPackage, to: InstalledPackage): { path: string; target: string } {
  const path = join(from.links, to.name);
  return { path, target: relative(dirname(path), to.folder) };
}
