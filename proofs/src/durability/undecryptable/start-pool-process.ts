import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PoolProcessEvent, PoolProcessResult, PoolProcessSetup } from './messages.ts';

export interface PoolProcess extends AsyncDisposable {
  result: Promise<PoolProcessResult>;
}

export function startPoolProcess(setup: PoolProcessSetup, onEvent: (event: PoolProcessEvent) => void): PoolProcess {
  const child = fork(join(import.meta.dirname, 'main.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
    // With the default size a hundred browsers spend a tenth of the time on garbage collection.
    execArgv: ['--max-semi-space-size=64'],
  });
  const result = new Promise<PoolProcessResult>((resolve, reject) => {
    child.on('message', (event: PoolProcessEvent) => {
      onEvent(event);
      if (event.kind === 'ended') resolve(event.result);
    });
    child.once('exit', (code, signal) => reject(new Error(`a pool process ended with ${code ?? signal}`)));
  });
  // Prevents an unhandled rejection: the caller awaits the result later and gets the error.
  result.catch(() => {});
  child.send(setup);
  return {
    result,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
