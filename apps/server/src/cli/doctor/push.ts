import { once } from 'node:events';
import { connect } from 'node:net';
import { codeOf } from './finding.ts';
import type { Check, Finding, CheckInput } from './finding.ts';

const TIMEOUT_MS = 15_000;

export const pushChecks: Check[] = [{ part: 'push', needsSecrets: true, run: checkPush }];

/** If push is on: whether any push service can be reached from here. */
async function checkPush({ config, secrets }: CheckInput): Promise<Finding[]> {
  if (secrets?.vapidKey === undefined) return [];
  const hosts = config.PUSH_HOSTS.filter((host) => !host.startsWith('*.'));
  if (hosts.length === 0) return [];
  const tries = await Promise.allSettled(hosts.map(reach));
  if (tries.some(({ status }) => status === 'fulfilled')) return [];
  const [first] = tries;
  return [
    {
      problem: `no push service can be reached: ${hosts.join(', ')} (${codeOf((first as PromiseRejectedResult).reason)})`,
      remedy: 'let this machine make https connections to the outside, and correct PUSH_HOSTS if you changed it',
    },
  ];
}

async function reach(host: string): Promise<void> {
  const { hostname, port } = new URL(host.startsWith('https:') ? host : `https://${host}`);
  const socket = connect({ host: hostname, port: port === '' ? 443 : Number(port) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } finally {
    socket.destroy();
  }
}
