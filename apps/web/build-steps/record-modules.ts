// Records the modules of each script of the site. The lists are stored beside the site and not shipped;
// site-modules.test.ts reads them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const repoRoot = join(import.meta.dirname, '../../..');
export const modulesFolder = join(import.meta.dirname, '../build/modules');

export interface ModuleRecord {
  /** The modules in each script that the bundle wrote. */
  scripts: Record<string, string[]>;
  /** For each module of the bundle, the modules that import it. */
  importers: Record<string, string[]>;
}

/** Records the bundle of pages. A build makes it first, so this deletes the lists of the previous build. */
export const recordPageModules: Plugin = {
  name: 'record-page-modules',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  buildStart() {
    rmSync(modulesFolder, { recursive: true, force: true });
  },
  generateBundle(_, bundle) {
    writeRecord('pages', readBundle(this, bundle));
  },
};

/** Records the bundle of one worker; a build has several. */
export function recordWorkerModules(): Plugin {
  return {
    name: 'record-worker-modules',
    apply: 'build',
    generateBundle(_, bundle) {
      const entry = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry);
      if (entry?.type === 'chunk') writeRecord(entry.name, readBundle(this, bundle));
    },
  };
}

function readBundle(context: Rolldown.PluginContext, bundle: Rolldown.OutputBundle): ModuleRecord {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
  const included = new Set(chunks.flatMap(({ moduleIds }) => moduleIds));
  const importers = [...included].map((id) => {
    const info = context.getModuleInfo(id);
    const all = [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])];
    return [nameModule(id), all.filter((one) => included.has(one)).map(nameModule)] as const;
  });
  return {
    scripts: Object.fromEntries(chunks.map(({ fileName, moduleIds }) => [fileName, moduleIds.map(nameModule)])),
    importers: Object.fromEntries(importers),
  };
}

function nameModule(id: string): string {
  return id.startsWith(repoRoot) ? relative(repoRoot, id) : id;
}

function writeRecord(name: string, record: ModuleRecord): void {
  mkdirSync(modulesFolder, { recursive: true });
  writeFileSync(join(modulesFolder, `${name}.json`), JSON.stringify(record, null, 1));
}
