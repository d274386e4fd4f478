/** What happens to engines and processes while users write to each other through the balancer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@dostar/tools/servers';
import type { Role } from '@dostar/tools/servers';
import { openTestFixture } from '../../../../apps/server/test/test-cluster.ts';
import type { Servers } from '../../harness/lib/servers.ts';
import { addCursors } from '../../harness/load/deployment.ts';
import type { Checks } from '../../security/isolation/checks.ts';
import type { Balancer } from './balancer.ts';
import { Pair } from './pair.ts';

export interface Fixture {
  servers: Servers;
  balancer: Balancer;
}

interface Outcome {
  messages: number;
  slowestMs: number;
}

type Scene = (fixture: Fixture, checks: Checks) => Promise<Outcome>;

export type SceneName = 'dead shard' | 'no NATS' | 'directory hangs' | 'draining';

const PAIRS = 6;
const HEALTHY = 0;
const DEAD = 1;
const NOTICED_WITHIN_MS = 30_000;
/** Users write for this long after the fault has been noticed. */
const WRITE_MS = 6_000;
const PROMPT_MS = 10_000;

export const SCENES: Record<SceneName, Scene> = {
  async 'dead shard'({ servers, balancer }, checks) {
    await using pairs = await startPairs({ servers, balancer }, [HEALTHY]);
    const shard = servers.engines.shards[DEAD]!;
    shard.signal('SIGSTOP');
    try {
      const isNamed = async (process: Role) => (await askReady(process)).engines[`shard_${DEAD}`] === false;
      await checkNoticed(checks, servers, isNamed, 'each process names the dead shard');
      await sleep(WRITE_MS);
      await checkKept(checks, { servers, balancer }, 'with a dead shard the balancer keeps every process');
    } finally {
      shard.signal('SIGCONT');
    }
    const outcome = await pairs.finish(checks, 'with a dead shard users of the other one notice nothing');
    const isBack = async (process: Role) => (await askReady(process)).engines[`shard_${DEAD}`] === true;
    await checkNoticed(checks, servers, isBack, 'each process notices that the shard is back');
    return outcome;
  },

  async 'no NATS'({ servers, balancer }, checks) {
    await using pairs = await startPairs({ servers, balancer }, [HEALTHY, DEAD]);
    const nats = servers.engines.nats[0]!;
    await nats.stop();
    try {
      const isNamed = async (process: Role) => !(await askReady(process)).engines['nats'];
      await checkNoticed(checks, servers, isNamed, 'each process names NATS');
      await sleep(WRITE_MS);
      await checkKept(checks, { servers, balancer }, 'without NATS the balancer keeps every process');
      const outcome = await pairs.finish(checks, 'without NATS every message is stored');
      const isPrompt = outcome.slowestMs < PROMPT_MS;
      checks.that('without NATS every message arrives within 10 s', isPrompt, () => `${outcome.slowestMs} ms`);
      return outcome;
    } finally {
      await nats.restart();
    }
  },

  async 'directory hangs'({ servers, balancer }, checks) {
    await using pairs = await startPairs({ servers, balancer }, [HEALTHY, DEAD]);
    const { directory } = servers.engines;
    directory.signal('SIGSTOP');
    try {
      await checkNoticed(
        checks,
        servers,
        async (process) => (await askReady(process)).status === 503,
        'no process is ready',
      );
      for (const process of servers.processes) {
        const { milliseconds } = await askReady(process);
        checks.that('/readyz answers at once', milliseconds < 500, () => `${milliseconds} ms`);
      }
      await sleep(WRITE_MS);
    } finally {
      directory.signal('SIGCONT');
    }
    const outcome = await pairs.finish(checks, 'without the directory users who are signed in still write');
    await waitUntilReady(servers, balancer);
    return outcome;
  },

  async draining({ servers, balancer }, checks) {
    await waitUntilReady(servers, balancer);
    await using pairs = await startPairs({ servers, balancer }, [HEALTHY, DEAD]);
    for (const [index, process] of servers.processes.entries()) {
      let hasEnded = false;
      const stopping = process.stop().then(() => (hasEnded = true));
      const isMoved = async (): Promise<boolean> => hasEnded || !(await balancer.listKept())[index];
      await waitFor(isMoved, { what: 'the balancer to notice', timeoutMs: NOTICED_WITHIN_MS });
      checks.that('the balancer moves users away before a draining process ends', !hasEnded, () => `process ${index}`);
      await stopping;
      await sleep(WRITE_MS / 2);
      await process.restart();
      await waitUntilReady(servers, balancer);
    }
    return pairs.finish(checks, 'while processes are replaced no call fails');
  },
};

interface Pairs extends AsyncDisposable {
  finish(checks: Checks, kind: string): Promise<Outcome>;
}

/** `shards`: where sender and recipient are; both on the same if there is one. */
async function startPairs({ servers, balancer }: Fixture, shards: number[]): Promise<Pairs> {
  const fixture = openTestFixture(servers.ctx, balancer.url);
  const load = { ctx: servers.ctx } as Parameters<typeof addCursors>[0];
  const pairs = await Promise.all(
    Array.from({ length: PAIRS }, async () => {
      const [from, to] = [await fixture.addAccount(shards[0]), await fixture.addAccount(shards.at(-1))];
      await fixture.befriend(from, to);
      const [listener] = await addCursors(load, [to]);
      return new Pair(balancer.url, from, listener!);
    }),
  );
  await Promise.all(pairs.map((pair) => pair.start()));
  let finished: Promise<number[]> | undefined;
  const finish = (): Promise<number[]> => (finished ??= Promise.all(pairs.map((pair) => pair.finish())));
  return {
    async finish(checks, kind) {
      const slowest = await finish();
      for (const [index, { failures, sent }] of pairs.entries()) {
        checks.that(kind, failures.length === 0 && sent.length > 0, () => failures.slice(0, 3).join('; '));
        checks.that('every acknowledged message arrives', slowest[index]! < Infinity, () => `pair ${index}`);
      }
      const messages = pairs.reduce((sum, { sent }) => sum + sent.length, 0);
      return { messages, slowestMs: Math.max(...slowest) };
    },
    async [Symbol.asyncDispose]() {
      await finish();
    },
  };
}

interface Readiness {
  status: number;
  engines: Record<string, boolean>;
  milliseconds: number;
}

async function askReady({ url }: Role): Promise<Readiness> {
  const begun = performance.now();
  const reply = await fetch(`${url}/readyz`);
  const { engines } = (await reply.json()) as { engines: Record<string, boolean> };
  return { status: reply.status, engines, milliseconds: performance.now() - begun };
}

async function checkNoticed(
  checks: Checks,
  { processes }: Servers,
  isSo: (process: Role) => Promise<boolean>,
  kind: string,
): Promise<void> {
  for (const process of processes) {
    const noticed = await waitFor(() => isSo(process), { what: kind, timeoutMs: NOTICED_WITHIN_MS }).catch(() => false);
    checks.that(kind, noticed, () => process.url);
  }
}

/** By HAProxy's own checks and by `/readyz`. */
async function checkKept(checks: Checks, { servers, balancer }: Fixture, kind: string): Promise<void> {
  const kept = await balancer.listKept();
  for (const [index, process] of servers.processes.entries()) {
    const { status } = await askReady(process);
    checks.that(kind, kept[index] === true && status === 200, () => `process ${index} answers ${status}`);
  }
}

async function waitUntilReady({ processes }: Servers, balancer: Balancer): Promise<void> {
  const areKept = async (): Promise<boolean> => (await balancer.listKept()).every(Boolean);
  await waitFor(areKept, { what: `${processes.length} ready processes`, timeoutMs: NOTICED_WITHIN_MS });
}
