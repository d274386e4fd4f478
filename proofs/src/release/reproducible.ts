// The same source gives the same bundle, and a changed byte is found.
//
// Builds in two folders and compares the hashes. Then the bundle runs with its own Node and server: every file it
// serves is on its list, the self-check page agrees, and that page detects a single changed byte of a script, style,
// page or text catalogue. With `--without NAME` one build leaks its time or file permissions, and the proof has to
// notice.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, startRole } from '@dostar/tools/servers';
import { REPO_ROOT, startEngines } from '../harness/lib/engines.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { digestTree, hash, listDifferences } from './reproducible/digest.ts';
import { startVerifyingBrowser } from './reproducible/verifying-browser.ts';
import { listStrange, tamper, tamperings } from './reproducible/served.ts';
import { copySources } from './reproducible/source-copy.ts';
import { variants } from './reproducible/variants.ts';

const run = promisify(execFile);
const FOLDER = join(REPO_ROOT, '.dev/proofs/reproducible');
const PAGES = 'apps/web/build/client';
/** Packages that compile sources or install packages: none of them runs in production. */
const TOOLS =
  /^(?:typescript|vite|vitest|rolldown|esbuild|oxlint|oxfmt|knip|tailwindcss|pnpm|npm)@|^@react-router\+dev@/;

await runProof({
  name: 'reproducible',
  claim: 'the same source gives the same bundle, and the page that checks a build finds one changed byte',
  variants: Object.keys(variants),
  async run(report, { isShort, without }) {
    const change = without === undefined ? undefined : variants[without];
    const isWhole = !isShort && (change === undefined || change.needsPages === true);
    const hasArchive = !isShort || change?.needsArchive === true;
    if (!isWhole) report.say('The pages and the installed packages are copied from the first folder, not built again.');
    rmSync(FOLDER, { recursive: true, force: true });
    const flags = [...(isWhole ? [] : ['--without-build']), ...(hasArchive ? [] : ['--without-archive'])];
    const first = join(FOLDER, 'first');
    const second = join(FOLDER, 'second');
    report.figure('seconds of a bundle', await bundle(REPO_ROOT, first, flags));
    {
      await using sourceCopy = await copySources({ isWhole, change });
      await bundle(sourceCopy.root, second, flags, { TZ: 'Asia/Almaty', LC_ALL: 'C.UTF-8' }, 0o077);
    }
    compareBundles(report, first, second, hasArchive);
    if (change !== undefined) return;
    lookInside(report, join(first, 'dostar'));
    await proveServed(report, join(first, 'dostar'), isShort);
  },
});

async function bundle(root: string, out: string, flags: string[], env = {}, umask = 0o022): Promise<number> {
  const begun = performance.now();
  const before = process.umask(umask);
  try {
    const args = [join(root, 'tools/src/main.ts'), 'bundle', '--out', out, ...flags];
    await run(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 ** 2 });
  } finally {
    process.umask(before);
  }
  return (performance.now() - begun) / 1000;
}

function compareBundles(report: Report, first: string, second: string, hasArchive: boolean): void {
  const one = digestTree(join(first, 'dostar'));
  const differences = listDifferences(one, digestTree(join(second, 'dostar')));
  report.figure('files of the bundle', one.size);
  report.count('the same file from both folders', one.size - differences.length);
  for (const path of differences) report.check('the same file from both folders', false, () => path);
  if (!hasArchive) return;
  const archives = [first, second].map((folder) => {
    const name = readdirSync(folder).find((file) => file.endsWith('.tar.gz')) ?? '';
    return { name, bytes: readFileSync(join(folder, name)) };
  });
  const [packed, again] = archives.map(({ name, bytes }) => `${name} ${hash(bytes)}`);
  report.check('the same packed file from both folders', packed === again, () => `${packed} and ${again}`);
  report.figure('MB of the packed file', Math.round((archives[0]?.bytes.length ?? 0) / 1024 ** 2));
}

function lookInside(report: Report, folder: string): void {
  const packages = readdirSync(join(folder, 'node_modules/.pnpm'));
  const tools = packages.filter((name) => TOOLS.test(name));
  report.check('no build tools inside', tools.length === 0, () => tools.join(' '));
  const bom = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as { components: { name: string }[] };
  report.figure('packages installed', packages.length);
  report.figure('components in the list of materials', bom.components.length);
}

async function proveServed(report: Report, folder: string, isShort: boolean): Promise<void> {
  await using engines = await startEngines({ name: 'reproducible', settings: { fsync: 'off' } });
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = { ...engines.env, ORIGIN: origin, LOG_LEVEL: 'warn' };
  const log = join(REPO_ROOT, '.dev/log/proof-reproducible.log');
  const node = join(folder, 'node/bin/node');
  const entry = join(folder, 'apps/server/src/main.ts');
  await using site = await startRole({ roles: 'site,api', port, env, log, node, entry });

  const { asked, strange } = await listStrange(origin);
  report.count('every file is served with the bytes that the list names', asked - strange.length);
  for (const path of strange)
    report.check('every file is served with the bytes that the list names', false, () => path);
  const { fingerprint } = JSON.parse(readFileSync(join(folder, 'bundle.json'), 'utf8')) as { fingerprint: string };

  await using verifier = await startVerifyingBrowser();
  const shownFingerprint = await verifier.readFingerprint(origin);
  report.check(
    '/about shows the hash of the bundle',
    fingerprint.startsWith(shownFingerprint.replaceAll(' ', '')),
    () => shownFingerprint,
  );
  const whole = await verifier.check(origin);
  report.check('the page that checks a build agrees', whole.state === 'pass', () => `${whole.state} ${whole.detail}`);
  report.figure('files compared by the page', whole.detail);
  for (const tampering of isShort ? tamperings.slice(0, 2) : tamperings) {
    const { path, undo } = tamper(join(folder, PAGES), tampering);
    // A server caches the files that it has read.
    await site.restart();
    const found = await verifier.check(origin);
    const isFound = found.state === 'fail' && found.detail === `differs: ${path}`;
    report.check('one changed byte is found', isFound, () => `${tampering.name}: ${found.state} ${found.detail}`);
    const seen = await listStrange(origin);
    report.check('only the changed file is found', seen.strange.join() === path, () => seen.strange.join());
    undo();
  }
}
