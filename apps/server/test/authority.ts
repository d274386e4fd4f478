/** A private certificate authority made with openssl: valid certificates, and invalid ones of every kind. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export interface Certificate {
  key: string;
  cert: string;
}

export interface Authority extends AsyncDisposable {
  /** The root certificate to trust. */
  root: string;
  /** `days`: validity from now; a negative number makes an expired certificate. */
  sign(host: string, days: number): Promise<Certificate>;
}

export async function openAuthority(): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'authority-'));
  const at = (name: string): string => join(folder, name);
  const asked = ['-keyout', at('ca.key'), '-out', at('ca.pem'), '-subj', '/CN=Test authority', '-days', '30'];
  await run('openssl', ['req', '-x509', ...EC, ...asked]);
  let count = 0;
  return {
    root: await readFile(at('ca.pem'), 'utf8'),
    async sign(host, days) {
      const name = String((count += 1));
      await run('openssl', [
        'req',
        ...EC,
        '-keyout',
        at(`${name}.key`),
        '-out',
        at(`${name}.csr`),
        '-subj',
        `/CN=${host}`,
      ]);
      await writeFile(at(`${name}.ext`), `subjectAltName=DNS:${host}`);
      const signer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-set_serial', name, '-extfile', at(`${name}.ext`)];
      const made = ['-in', at(`${name}.csr`), '-out', at(`${name}.pem`), '-days', String(days)];
      await run('openssl', ['x509', '-req', ...made, ...signer]);
      return { key: await readFile(at(`${name}.key`), 'utf8'), cert: await readFile(at(`${name}.pem`), 'utf8') };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
