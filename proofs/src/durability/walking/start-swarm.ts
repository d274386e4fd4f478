import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { addFigures } from './ledger.ts';
import { groupDevices } from './plan.ts';
import type { SwarmReply, SwarmCommand, SwarmSetup } from './swarm-messages.ts';

type AnswerOf<T extends SwarmReply['t']> = Extract<SwarmReply, { t: T }>;

export interface Swarm extends AsyncDisposable {
  /** Resolves when the last message is written, which is before it has arrived. */
  write(): Promise<void>;
  look(): Promise<AnswerOf<'progress'>>;
  report(): Promise<AnswerOf<'report'>>;
}

/** Starts one process for each group of users and controls them as one. Resolves once every device is online. */
export async function startSwarms(setup: Omit<SwarmSetup, 'group'>): Promise<Swarm> {
  await using stack = new AsyncDisposableStack();
  const groups = groupDevices(setup.plan);
  const swarms = await Promise.all(groups.map(async (group) => stack.use(await startSwarm({ ...setup, group }))));
  const owned = stack.move();
  return {
    write: async () => void (await Promise.all(swarms.map((swarm) => swarm.write()))),
    async look() {
      const all = await Promise.all(swarms.map((swarm) => swarm.look()));
      return all.reduce((one, other) => ({
        t: 'progress',
        acknowledged: one.acknowledged + other.acknowledged,
        arrived: one.arrived + other.arrived,
        online: one.online + other.online,
      }));
    },
    async report() {
      const all = await Promise.all(swarms.map((swarm) => swarm.report()));
      return all.reduce((one, other) => ({
        t: 'report',
        figures: addFigures(one.figures, other.figures),
        shown: [...one.shown, ...other.shown],
      }));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function startSwarm(setup: SwarmSetup): Promise<Swarm> {
  const child = fork(fileURLToPath(import.meta.resolve('./swarm.ts')), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the devices' process ended with ${String(code)}`);
  });
  // Prevents an unhandled rejection: callers that wait for an answer get the error.
  ended.catch(() => {});

  async function ask<T extends SwarmReply['t']>(command: SwarmCommand, expected: T): Promise<AnswerOf<T>> {
    const answered = new Promise<AnswerOf<T>>((resolve) => {
      child.on('message', function hear(answer: SwarmReply) {
        if (answer.t !== expected) return;
        child.off('message', hear);
        resolve(answer as AnswerOf<T>);
      });
    });
    child.send(command);
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
