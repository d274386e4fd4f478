import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SwarmAnswer, SwarmOrder, SwarmSetup } from './swarm-messages.ts';

type AnswerOf<T extends SwarmAnswer['t']> = Extract<SwarmAnswer, { t: T }>;

export interface Swarm extends AsyncDisposable {
  /** Resolves when the last word is written, which is before the last has arrived. */
  write(): Promise<void>;
  look(): Promise<AnswerOf<'progress'>>;
  report(): Promise<AnswerOf<'report'>>;
}

/** Resolves once every device is online. */
export async function startSwarm(setup: SwarmSetup): Promise<Swarm> {
  const child = fork(join(import.meta.dirname, 'swarm.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the devices' process ended with ${String(code)}`);
  });
  // Its end is an error only for those who wait for an answer.
  ended.catch(() => {});

  async function ask<T extends SwarmAnswer['t']>(order: SwarmOrder, expected: T): Promise<AnswerOf<T>> {
    const answered = new Promise<AnswerOf<T>>((resolve) => {
      child.on('message', function hear(answer: SwarmAnswer) {
        if (answer.t !== expected) return;
        child.off('message', hear);
        resolve(answer as AnswerOf<T>);
      });
    });
    child.send(order);
    return Promise.race([answered, ended]);
  }

  await ask({ t: 'setup', setup }, 'ready');
  return {
    write: async () => void (await ask({ t: 'write' }, 'written')),
    look: () => ask({ t: 'look' }, 'progress'),
    report: () => ask({ t: 'report' }, 'report'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
