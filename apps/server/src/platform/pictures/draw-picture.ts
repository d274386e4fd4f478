/**
 * Draws a picture in its own process. The system limits the time, CPU and memory that malicious bytes can use, and the
 * process can read no secret and end no other process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Semaphore } from '../concurrency/semaphore.ts';
import { confine } from './confine.ts';
import { PictureError, FAILURES } from './transform.ts';
import type { Failure, PictureTransform } from './transform.ts';

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url));
const CONCURRENCY = 2;
/** With this many waiting, further callers get `busy`. */
const MAX_WAITING = 40;
const MAX_MS = 30_000;
const PROCESSOR_SECONDS = 20;
/** V8 reserves half of it without using it. */
const DATA_KB = 1_000_000;
const HEAP_MB = 128;
const MAX_DRAWN_BYTES = 64 * 1024 ** 2;
/** No core dump of a user's picture, and low priority, because messages come first. */
const SHELL = `ulimit -c 0; ulimit -t ${PROCESSOR_SECONDS}; ulimit -d ${DATA_KB}; exec nice -n 5 "$@"`;

const semaphore = new Semaphore(CONCURRENCY, MAX_WAITING);

export async function drawPicture(transform: PictureTransform, read: () => Promise<Buffer>): Promise<Buffer> {
  const release = await semaphore.acquire().catch(() => {
    throw new PictureError('busy');
  });
  try {
    // Read after the wait, so that waiting callers hold no bytes in memory.
    return await withScratch(transform, async (scratch) => run(transform, await read(), scratch));
  } finally {
    release();
  }
}

/** A temporary folder for the HEIC tool, which works with files. */
async function withScratch<T>({ output }: PictureTransform, task: (folder: string) => Promise<T>): Promise<T> {
  if (output !== 'heic') return task('');
  const folder = await mkdtemp(join(tmpdir(), 'picture-'));
  try {
    return await task(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(transform: PictureTransform, bytes: Buffer, scratch: string): Promise<Buffer> {
  const program = [process.execPath, `--max-old-space-size=${HEAP_MB}`, PROGRAM, JSON.stringify(transform), scratch];
  const child = spawn('/bin/sh', ['-c', SHELL, 'draw', ...(await confine(program, scratch))], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'ignore'],
    // In its own process group, so that its children are killed with it.
    detached: true,
  });
  const end = (): void => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, MAX_MS);
  const drawn: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size > MAX_DRAWN_BYTES) end();
    else drawn.push(piece);
  });
  // The process may exit before it has read all bytes.
  child.stdin.on('error', () => {});
  child.stdin.end(bytes);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === 0 && size > 0) return Buffer.concat(drawn);
    throw new PictureError(isLate ? 'too-large' : explain(code));
  } finally {
    clearTimeout(timer);
  }
}

/** A process that ended without a known exit code ran into a limit. */
function explain(code: number | null): Failure {
  const known = Object.entries(FAILURES).find(([, number]) => number === code);
  return (known?.[0] as Failure | undefined) ?? 'too-large';
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
