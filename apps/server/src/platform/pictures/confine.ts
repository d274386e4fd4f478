/**
 * Confines a process that draws pictures to its program: it can't read secrets, users' files or the server's memory,
 * and has no network.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SETPRIV = ['/usr/bin/setpriv', '--no-new-privs'];
const PERL = '/usr/bin/perl';
const CONFINE = fileURLToPath(new URL('confine.pl', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
/** Libraries and tools of the machine, the program, and files that Node reads when it starts. */
const READABLE = [
  '/usr',
  '/bin',
  '/lib',
  '/lib64',
  '/etc/ld.so.cache',
  '/etc/fonts',
  '/etc/ssl/openssl.cnf',
  '/dev/urandom',
  process.execPath,
  `${ROOT}node_modules`,
  `${ROOT}apps/server/node_modules`,
  `${ROOT}apps/server/src`,
  `${ROOT}apps/server/package.json`,
];

let hasLandlock: Promise<boolean> | undefined;

/** Whether the kernel supports the rules. A container may forbid them, and kernels before 5.13 lack them. */
export function canConfine(): Promise<boolean> {
  hasLandlock ??= new Promise((resolve) => {
    const child = execFile(SETPRIV[0]!, [...SETPRIV.slice(1), PERL, CONFINE, '', ...READABLE, '--', '/bin/true']);
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
  return hasLandlock;
}

/** The command that runs `program` confined. `scratch` is the folder it may write to; empty for none. */
export async function confine(program: string[], scratch: string): Promise<string[]> {
  // Without Landlock pictures are drawn unconfined; the doctor reports that.
  if (!(await canConfine())) return program;
  return [...SETPRIV, PERL, CONFINE, scratch, ...READABLE, '--', ...program];
}
