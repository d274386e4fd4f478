import { createServer, createConnection } from 'node:net';

const allocatedPorts = new Set<number>();

export function isPortFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  return promise;
}

/** A free port below 32768, where the kernel never puts an outgoing connection. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (allocatedPorts.has(port) || !(await isPortFree(port))) continue;
    allocatedPorts.add(port);
    return port;
  }
}

/** The wanted port, or another one if a second clone on this machine uses it. */
export async function freePortNear(wanted: number): Promise<number> {
  return (await isPortFree(wanted)) ? wanted : await freePort();
}

export function canConnect(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createConnection({ port, host: '127.0.0.1' });
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
