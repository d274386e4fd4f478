import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runEngine } from './engine.ts';
import type { Engine } from './engine.ts';
import { launch } from './launch.ts';
import { canConnect } from './ports.ts';
import { isRunning } from './processes.ts';
import type { ProcessRef } from './processes.ts';
import { run } from './run.ts';
import { unpackDebian } from './unpack-debian.ts';
import { waitFor } from './wait-for.ts';

interface HaproxyOptions {
  dir: string;
  /** One of the ports that the configuration binds. */
  port: number;
  config: string;
}

const FOLDERS: Partial<Record<string, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };
/** Libraries that few machines have. */
const LIBRARIES = ['liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'];

/** Starts Debian's HAProxy without installing it. It ends with the process that started it. */
export async function startHaproxy({ dir, port, config }: HaproxyOptions): Promise<Engine> {
  const { command, env } = await unpackHaproxy();
  mkdirSync(dir, { recursive: true });
  const [file, log] = [join(dir, 'haproxy.cfg'), join(dir, 'haproxy.log')];
  writeFileSync(file, config);
  await run(command, ['-c', '-f', file], { env });

  async function start(): Promise<ProcessRef> {
    const ref = await launch({ command, args: ['-db', '-f', file], env, log, survives: false });
    await waitFor(async () => !isRunning(ref) || (await canConnect(port)), { what: `HAProxy on port ${port}` });
    if (!isRunning(ref)) throw new Error(`HAProxy did not start; see ${log}`);
    return ref;
  }

  return runEngine({ port, log, stopSignal: 'SIGTERM', start });
}

async function unpackHaproxy(): Promise<{ command: string; env: NodeJS.ProcessEnv }> {
  const suite = 'bookworm';
  const file = `usr/lib/${FOLDERS[process.arch] ?? ''}`;
  const libraries = await Promise.all(
    LIBRARIES.map((name) => unpackDebian({ name: `haproxy-${name}`, suite, package: name, file })),
  );
  const command = await unpackDebian({ name: 'haproxy', suite, package: 'haproxy', file: 'usr/sbin/haproxy' });
  return { command, env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') } };
}
