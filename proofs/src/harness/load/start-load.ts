import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadReport, LoadRound, LoadSetup } from './messages.ts';

const READY_WITHIN_MS = 60_000;
/** Counted from the end of the round. */
const ANSWER_WITHIN_MS = 120_000;

export interface Load extends AsyncDisposable {
  pid: number;
  run(round: LoadRound): Promise<LoadReport>;
}

export async function startLoad(setup: LoadSetup): Promise<Load> {
  const child = fork(join(import.meta.dirname, 'main.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.send(setup);
  await hear(child, READY_WITHIN_MS);
  return {
    pid: child.pid!,
    async run(round) {
      child.send(round);
      const takesMs = (round.warmSeconds + round.seconds) * 1000;
      return (await hear(child, takesMs + ANSWER_WITHIN_MS)) as LoadReport;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function hear(child: ChildProcess, withinMs: number): Promise<unknown> {
  const heard = new AbortController();
  const options = { signal: AbortSignal.any([heard.signal, AbortSignal.timeout(withinMs)]) };
  const ended = once(child, 'exit', options).then(([code]) => {
    throw new Error(`the load generator ended with ${String(code)}`);
  });
  const answered = once(child, 'message', options);
  try {
    const [answer] = await Promise.race([answered, ended]);
    return answer as unknown;
  } finally {
    heard.abort();
    // Awaits the loser of the race too, so that it leaves no unhandled rejection.
    await Promise.allSettled([answered, ended]);
  }
}
