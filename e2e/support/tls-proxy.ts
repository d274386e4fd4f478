/**
 * Serves the site over TLS with its own certificate: WebKit stores `__Host-` cookies only over TLS, even on localhost.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { promisify } from 'node:util';
import { freePort } from '@dostar/tools/servers';

export interface TlsProxy extends AsyncDisposable {
  origin: string;
  /** Sets the origin that calls are forwarded to. */
  setTarget(origin: string): void;
}

export async function startTlsProxy(): Promise<TlsProxy> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let target = 0;
  const server = createServer(await makeCertificate(), (clientSocket) => {
    const serverSocket = connect(target, '127.0.0.1');
    clientSocket.pipe(serverSocket).pipe(clientSocket);
    for (const [one, other] of [
      [clientSocket, serverSocket],
      [serverSocket, clientSocket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one) && other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `https://localhost:${port}`,
    setTarget(origin) {
      target = Number(new URL(origin).port);
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function makeCertificate(): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'dostar-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const args = ['req', '-x509', '-nodes', '-days', '2', ...curve, ...name, '-keyout', key, '-out', cert];
  await promisify(execFile)('openssl', args);
  const made = { key: await readFile(key), cert: await readFile(cert) };
  await rm(folder, { recursive: true });
  return made;
}
