// Encrypted messages through the whole path: the rate, and the processor time of each part per message.
// The clients are real, with engine and store, and share one process, which limits the rate.
import { loadavg } from 'node:os';
import type { Client } from '@dostar/client';
import { openBrowser } from '@dostar/client/testing/browser';
import { until } from '@dostar/client/until';
import { addFriends, startBrowser } from '@dostar/client/testing/owners';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProof } from '../harness/lib/run-proof.ts';
import { startServers } from '../harness/lib/servers.ts';
import { raisePriority } from '../harness/load/priority.ts';
import { readProcessorTime } from '../harness/load/processor-time.ts';
import { openCluster } from '../harness/accounts/cluster.ts';

const LONG = { pairs: 10, messages: 100 };
const SHORT = { pairs: 2, messages: 25 };
const ARRIVE_WITHIN_MS = 240_000;

interface Pair {
  hers: Client;
  his: Client;
  chat: ChatId;
  to: AccountId;
}

await runProof({
  name: 'chat-load',
  claim: 'every encrypted message arrives; measures the rate and the processor time of each',
  async run(report, { isShort }) {
    using _ = raisePriority();
    const { pairs, messages } = isShort ? SHORT : LONG;
    const roles = ['api', 'gateway', 'worker'];
    await using servers = await startServers({ name: 'chat-load', roles });
    const [api, gateway, worker] = servers.processes;
    const cluster = openCluster(servers.ctx, [{ url: api!.url, gateway: gateway!.url }]);
    await using stack = new AsyncDisposableStack();
    const talking: Pair[] = [];
    for (let number = 0; number < pairs; number += 1) {
      const { alice, bob, chat } = await addFriends(cluster);
      const [hers, his] = await Promise.all(
        [alice, bob].map(async ({ person, accountKey }) => {
          const { client } = await startBrowser(
            openBrowser(cluster, person, { accountKey }),
            'dehydrated device visited',
          );
          return stack.use(client);
        }),
      );
      talking.push({ hers: hers!, his: his!, chat, to: bob.person.account });
    }
    // Creates and shares keys before the clock starts, as for users who have talked before.
    await send(talking, 1, 0);
    const roots = {
      api: api!.pid,
      gateway: gateway!.pid,
      worker: worker!.pid,
      database: servers.engines.directory.pid,
      bus: servers.engines.nats[0]!.pid,
    };
    const [before, used] = [readProcessorTime(roots), process.cpuUsage()];
    const begun = performance.now();
    await send(talking, messages, 1);
    const seconds = (performance.now() - begun) / 1000;
    const [after, { user, system }] = [readProcessorTime(roots), process.cpuUsage(used)];
    const sent = pairs * messages;
    report.count('messages read by their recipient', sent);
    report.figure('messages', sent);
    report.figure('encrypted messages per second', sent / seconds);
    // Sealing and sending, receiving and decrypting, and a local store that outside a browser is JavaScript.
    report.figure('client, ms of processor each', (user + system) / 1000 / sent);
    for (const name of Object.keys(roots)) {
      report.figure(`${name}, ms of processor each`, ((after[name]! - before[name]!) * 1000) / sent);
    }
    report.figure('load of the machine', loadavg()[0]!);
  },
});

/** Each user writes to the other of the pair; returns when all messages are decrypted. */
async function send(talking: Pair[], messages: number, known: number): Promise<void> {
  await Promise.all(
    talking.map(async ({ hers, to }) => {
      for (let number = 0; number < messages; number += 1) await hers.sendText({ to, text: `message ${number}` });
    }),
  );
  const arrived = Promise.all(
    talking.map(({ his, chat }) =>
      until(
        his.live.timeline(chat, 10),
        (shown) =>
          (shown.at(-1)?.seq ?? 0) >= known + messages && shown.every(({ shows }) => shows.state === 'content'),
      ),
    ),
  );
  await Promise.race([
    arrived,
    sleep(ARRIVE_WITHIN_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('not all have arrived'))),
  ]);
}
