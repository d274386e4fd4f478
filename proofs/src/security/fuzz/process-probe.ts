/** Measures CPU time and event-loop stalls of a server process through its inspector. */
import { readFileSync } from 'node:fs';
import { inspect } from '../../harness/lib/inspect.ts';
import type { Inspector } from '../../harness/lib/inspect.ts';

/** Each process chooses a free inspector port and logs it. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

const START = `{
  const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
  globalThis.loopDelay = monitorEventLoopDelay({ resolution: 10 });
  globalThis.loopDelay.enable();
}`;
/** Only the main thread: work of other threads, such as garbage collection, delays no request. */
const READ = `(() => {
  const { user, system } = process.threadCpuUsage();
  const { max } = globalThis.loopDelay;
  globalThis.loopDelay.reset();
  return [(user + system) / 1e3, max / 1e6];
})()`;
const LOOKS = 20;

export interface Spent {
  cpuMs: number;
  /** The longest time that the event loop was blocked. */
  stallMs: number;
}

export class ProcessProbe implements Disposable {
  readonly #inspector: Inspector;
  #cpuMs = 0;
  /** CPU time of a measurement itself. */
  #overheadMs = 0;

  private constructor(inspector: Inspector) {
    this.#inspector = inspector;
  }

  static async open(log: string): Promise<ProcessProbe> {
    const ports = [...readFileSync(log, 'utf8').matchAll(/Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)/g)];
    const probe = new ProcessProbe(await inspect(Number(ports.at(-1)?.[1])));
    await probe.#inspector.evaluate(START);
    const looks: number[] = [];
    for (let look = 0; look < LOOKS; look += 1) looks.push((await probe.readSpent()).cpuMs);
    probe.#overheadMs = Math.min(...looks);
    return probe;
  }

  /** CPU time and longest stall since the last call. */
  async readSpent(): Promise<Spent> {
    const [cpuMs, stallMs] = (await this.#inspector.evaluate(READ)) as [number, number];
    const spent = Math.max(0, cpuMs - this.#cpuMs - this.#overheadMs);
    this.#cpuMs = cpuMs;
    return { cpuMs: spent, stallMs };
  }

  /** Megabytes in use, the lowest of three measurements: a pending answer may hold memory during one of them. */
  async readMemory(): Promise<number> {
    const looks: number[] = [];
    for (let look = 0; look < 3; look += 1) looks.push(await this.#inspector.measureMemory());
    await this.readSpent();
    return Math.min(...looks) / 1024 ** 2;
  }

  [Symbol.dispose](): void {
    this.#inspector[Symbol.dispose]();
  }
}
