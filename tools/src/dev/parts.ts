/**
 * The single list of checks. `./dev check`, CI and `./dev nightly` run it up to their tier.
 *
 * A new part states its tier and its budget in seconds; a nightly part also says why. Parts start in this order as soon
 * as the parts that they need have passed.
 */
import { join } from 'node:path';
import { repoRoot } from '../servers/folders.ts';
import { auditPackages } from './audit.ts';
import { listLongFiles, listRegistryAddresses } from './hygiene.ts';
import { browserTests, installChromium, listing, program, vitest } from './make-part.ts';
import type { Part } from './part.ts';
import { listProofParts } from './proof-parts.ts';

const reactRouter = join(repoRoot, 'apps/web/node_modules/.bin/react-router');
const inChromium = ['--project=chromium', '--project=chromium-whole'];

export function listParts(): Part[] {
  return [
    program({ name: 'build', tier: 'gate', budget: 150 }, reactRouter, ['build'], { cwd: join(repoRoot, 'apps/web') }),
    { name: 'browsers', tier: 'gate', budget: 90, run: installChromium },
    // Parallel checkers would each check the shared types again: one thread takes half of the processor time.
    program({ name: 'types', tier: 'check', budget: 60 }, 'tsc', ['-b', '--singleThreaded']),
    program({ name: 'format', tier: 'check', budget: 15 }, 'oxfmt', ['--check', '.']),
    program({ name: 'lint', tier: 'check', budget: 60 }, 'oxlint', ['--deny-warnings']),
    program({ name: 'dead-code', tier: 'check', budget: 30 }, 'knip', ['--no-progress']),
    listing({ name: 'size', tier: 'check', budget: 5 }, 'passes 400 lines', listLongFiles),
    listing(
      { name: 'addresses', tier: 'check', budget: 5 },
      'holds the address of a package registry',
      listRegistryAddresses,
    ),
    vitest({ name: 'boundaries', tier: 'check', budget: 30 }, ['--project=boundaries']),
    vitest({ name: 'tests', tier: 'check', budget: 155 }, ['--project=!boundaries', '--tags-filter=!gate && !nightly']),
    vitest({ name: 'slow-tests', tier: 'gate', budget: 215, needs: ['build'] }, [
      '--project=!boundaries',
      '--tags-filter=gate && !nightly',
    ]),
    { name: 'audit', tier: 'gate', budget: 15, run: auditPackages },
    ...listProofParts(),
    // The browser tests keep two cores busy. Beside another part they would save no time, and some would time out.
    browserTests({ name: 'browser', tier: 'gate', budget: 960, needs: ['build', 'browsers'], isAlone: true }, [
      ...inChromium,
      '--grep-invert=@nightly|@measured',
    ]),
    ...nightlyTests(),
  ];
}

function nightlyTests(): Part[] {
  const tier = 'nightly';
  const needs = ['build'];
  return [
    vitest({ name: 'tests-apart', tier, budget: 900, needs, why: 'Finds tests that lean on another file’s state.' }, [
      '--project=!boundaries',
      '--isolate',
    ]),
    browserTests(
      { name: 'browser-nightly', tier, budget: 2400, needs, why: 'Every page in every language, size and theme.' },
      [...inChromium, '--grep=@nightly'],
    ),
    browserTests({ name: 'browser-firefox', tier, budget: 300, needs, why: 'A second engine doubles the time.' }, [
      '--project=firefox',
    ]),
    browserTests({ name: 'browser-webkit', tier, budget: 300, needs, why: 'WebKitGTK takes minutes to install.' }, [
      '--project=webkit',
    ]),
    browserTests(
      { name: 'browser-measured', tier, budget: 900, needs, isAlone: true, why: 'It measures milliseconds.' },
      [...inChromium, '--grep=@measured', '--workers=1'],
    ),
  ];
}
