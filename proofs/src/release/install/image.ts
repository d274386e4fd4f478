/**
 * Builds the image's file system by the steps of its Containerfile in a clean root, and runs it as a container engine
 * would: as its user, read-only, with its own /tmp. It does not need a container engine.
 */
import { execFile } from 'node:child_process';
import { chownSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, launch, runEngine, waitFor } from '@dostar/tools/servers';
import type { Engine } from '@dostar/tools/servers';
import { REPO_ROOT, startEngines } from '../../harness/lib/engines.ts';
import type { Report } from '../../harness/lib/report.ts';
import { makeRoot, runInside } from './root.ts';

const run = promisify(execFile);
const FILE = join(REPO_ROOT, 'deploy/image/Containerfile');
const SECRETS = '/run/secrets';
/** Mounts as `--read-only --tmpfs /tmp` and a volume would. */
const ENTER = [
  'mount --bind "$0" "$0"',
  'mount -t proc proc "$0/proc"',
  'mount --rbind /dev "$0/dev"',
  'mount -t tmpfs tmpfs "$0/tmp"',
  'mount --bind "$0/var/lib/dostar" "$0/var/lib/dostar"',
  'mount -o remount,bind,ro "$0"',
  'exec chroot "$0" "$@"',
].join(' && ');

interface Recipe {
  steps: string[];
  env: Record<string, string>;
  user: string;
  command: string[];
}

interface Image {
  recipe: Recipe;
  root: string;
  uid: number;
  /** The command prefix that runs a program inside: as the image's user, in its folder, with this environment. */
  enter(env: Record<string, string>): string[];
  /** The command prefix that only enters the root. */
  open: string[];
  asUser: string[];
}

export async function makeImage(bundle: string): Promise<Image> {
  const recipe = readRecipe(readFileSync(FILE, 'utf8'));
  const { path, run: runIn } = await makeRoot('image');
  for (const step of recipe.steps) {
    const { code, output } = await runIn('sh', '-ec', step);
    if (code !== 0) throw new Error(`a step of the image failed: ${output}`);
  }
  mkdirSync(join(path, 'opt'), { recursive: true });
  await run('cp', ['--archive', '--link', bundle, join(path, 'opt/dostar')]);
  const open = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', ENTER, path];
  const [uid = '', gid = ''] = recipe.user.split(':');
  const groups = ['--clear-groups', '--no-new-privs', '--bounding-set=-all'];
  const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, ...groups];
  const enter = (env: Record<string, string>): string[] => {
    const pairs = Object.entries({ ...recipe.env, ...env }).map(([key, value]) => `${key}=${value}`);
    return [...open, 'env', ...pairs, ...asUser, '--pdeathsig=INT', 'sh', '-c', 'cd /opt/dostar && exec "$@"', 'sh'];
  };
  return { recipe, root: path, uid: Number(uid), enter, open, asUser };
}

/** Starts a program of the image and waits until its `/readyz` answers. */
async function startInside(words: string[], port: number, name: string): Promise<Engine> {
  const [first = '', ...args] = words;
  const log = join(REPO_ROOT, `.dev/log/proof-install-${name}.log`);
  const start = () => launch({ command: first, args, log, survives: true, env: { PATH: process.env['PATH'] } });
  await using stack = new AsyncDisposableStack();
  const engine = stack.use(await runEngine({ port, log, stopSignal: 'SIGTERM', start }));
  const isReady = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  await waitFor(isReady, { what: name, timeoutMs: 60_000, everyMs: 200 });
  stack.move();
  return engine;
}

export async function proveImage(report: Report, image: Image): Promise<void> {
  const { recipe, uid, open, asUser } = image;
  await using engines = await startEngines({ name: 'install', settings: { fsync: 'off' } });
  const port = await freePort();
  const env = { ...engines.env, HOST: '127.0.0.1', PORT: String(port), ORIGIN: 'https://image.example' };
  const words = [...image.enter(installSecrets(image, env)), ...recipe.command];
  await using server = await startInside(words, port, 'image');
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  report.check('the image runs as an unprivileged user', new RegExp(`^Uid:\\s+${uid}\\s+${uid}`, 'm').test(status));
  report.check('the image serves its pages', (await fetch(`http://127.0.0.1:${port}/about`)).ok);
  const written = await runInside(open, [...asUser, 'touch', '/opt/dostar/x', '/etc/x', '/x']);
  report.check('the image is read-only', written.code !== 0 && /Read-only|denied/.test(written.output));
  const tools = await runInside(open, ['sh', '-c', 'command -v gcc cc make npm pnpm git curl']);
  report.check('the image has no build tools', tools.output === '', () => tools.output);
}

/** Copies secret files to where the image's user may read them. */
function installSecrets({ root, uid }: Image, env: Record<string, string>): Record<string, string> {
  mkdirSync(join(root, SECRETS), { recursive: true });
  const given = Object.entries(env).map(([key, value]): [string, string] => {
    if (!key.endsWith('_FILE')) return [key, value];
    const place = join(SECRETS, basename(value));
    copyFileSync(value, join(root, place));
    chownSync(join(root, place), uid, uid);
    return [key, place];
  });
  return Object.fromEntries(given);
}

/** Parses the instructions that our Containerfile uses. */
function readRecipe(text: string): Recipe {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n');
  const valuesOf = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const pairs = valuesOf('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string]));
  const [entry = '[]', command = '[]'] = [valuesOf('ENTRYPOINT')[0], valuesOf('CMD')[0]];
  return {
    steps: valuesOf('RUN'),
    env: Object.fromEntries(pairs),
    user: valuesOf('USER')[0] ?? '0:0',
    command: [...(JSON.parse(entry) as string[]), ...(JSON.parse(command) as string[])],
  };
}
