// The bundle's software bill of materials in a format that scanners read (CycloneDX 1.6). It contains no time and no
// random number, so the same source gives the same file.
import { compare, keyOf } from './packages.ts';
import type { InstalledPackage } from './packages.ts';

interface SbomOptions {
  build: string;
  node: string;
  /** Packages of the server and the assistant. */
  server: InstalledPackage[];
  /** Packages that the scripts of the pages were built from. */
  browser: InstalledPackage[];
  /** SHA-512 of each package as downloaded, by `name@version`, from the lock file. */
  integrity: Map<string, string>;
}

export function writeSbom({ build, node, server, browser, integrity }: SbomOptions): string {
  const packages = unite([...server, ...browser]);
  const places = { server: new Set(server.map(keyOf)), browser: new Set(browser.map(keyOf)) };
  const components = packages
    .filter(({ isOurs }) => !isOurs)
    .map((one) => {
      const hash = integrity.get(keyOf(one));
      return {
        type: 'library',
        'bom-ref': refOf(one),
        name: one.name,
        version: one.version,
        ...(hash !== undefined && { hashes: [{ alg: 'SHA-512', content: hash }] }),
        licenses: [describeLicence(one.licence)],
        purl: refOf(one),
        properties: (['server', 'browser'] as const)
          .filter((place) => places[place].has(keyOf(one)))
          .map((place) => ({ name: 'dostar:runs-in', value: place })),
      };
    });
  const runtime = {
    type: 'platform',
    'bom-ref': `pkg:generic/node@${node}`,
    name: 'node',
    version: node,
    licenses: [describeLicence('MIT')],
    purl: `pkg:generic/node@${node}`,
  };
  const graph = new Map<string, Set<string>>([[runtime.purl, new Set()]]);
  for (const one of packages) {
    const needs = graph.get(refOf(one)) ?? new Set();
    for (const need of one.dependencies) needs.add(refOf(need));
    graph.set(refOf(one), needs);
  }
  const ours = packages.filter(({ isOurs }) => isOurs);
  const product = {
    type: 'application',
    'bom-ref': 'dostar',
    name: 'dostar',
    version: build,
    licenses: [describeLicence('Apache-2.0')],
    components: ours.map((one) => ({ type: 'application', 'bom-ref': refOf(one), name: one.name })),
  };
  graph.set('dostar', new Set([runtime.purl, ...ours.map(refOf)]));
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: product },
    components: [runtime, ...components],
    dependencies: [...graph]
      .toSorted(([a], [b]) => compare(a, b))
      .map(([ref, needs]) => ({ ref, dependsOn: [...needs].toSorted(compare) })),
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** Merges packages that are installed twice, beside different peers. */
function unite(packages: InstalledPackage[]): InstalledPackage[] {
  return [...new Map(packages.map((one) => [keyOf(one), one])).values()].toSorted((a, b) =>
    compare(keyOf(a), keyOf(b)),
  );
}

function refOf({ name, version, isOurs }: InstalledPackage): string {
  return isOurs ? name : `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function describeLicence(licence: string) {
  return licence.includes(' ') ? { expression: licence } : { license: { id: licence } };
}

/** Converts hashes from base64 in the lock file to hexadecimal for CycloneDX. */
export function readIntegrity(lockFile: string): Map<string, string> {
  const entries = lockFile.matchAll(/^ {2}'?([^\s':]+@[^\s':(]+)'?:\n {4}resolution: \{integrity: sha512-([^},]+)/gm);
  return new Map([...entries].map(([, key = '', hash = '']) => [key, Buffer.from(hash, 'base64').toString('hex')]));
}
