import type { ProcessRef } from './processes.ts';
import { signalTree, stopProcess } from './processes.ts';
import { removeRecord, writeRecord } from './records.ts';

export interface Engine extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** Signals the whole process tree: a stopped PostgreSQL answers on no backend. */
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
  /** Stops the engine if it runs and starts it on the same folder and port; also after kill -9. */
  restart(): Promise<void>;
}

export interface EngineOptions {
  port: number;
  log: string;
  stopSignal: NodeJS.Signals;
  /** Name of its record in .dev/run; without one the engine ends with the process that started it. */
  record?: string | undefined;
  start(): Promise<ProcessRef>;
}

export async function runEngine(options: EngineOptions): Promise<Engine> {
  let ref = await startRecorded();

  async function startRecorded(): Promise<ProcessRef> {
    const started = await options.start();
    const { record: name, port, log, stopSignal } = options;
    if (name !== undefined) writeRecord({ name, ...started, port, log, stopSignal, startedAt: Date.now() });
    return started;
  }

  async function stop(): Promise<void> {
    await stopProcess(ref, { signal: options.stopSignal });
    if (options.record !== undefined) removeRecord(options.record);
  }

  return {
    get pid() {
      return ref.pid;
    },
    port: options.port,
    signal: (signal) => signalTree(ref, signal),
    stop,
    async restart() {
      await stop();
      ref = await startRecorded();
    },
    [Symbol.asyncDispose]: stop,
  };
}
