import { once } from 'node:events';
import { connect } from 'node:net';
import { listSampleHosts } from '../../platform/delivery/push-hosts.ts';
import { codeOf } from './finding.ts';
import type { Check, Finding, CheckInput } from './finding.ts';

const TIMEOUT_MS = 15_000;

export const pushChecks: Check[] = [{ part: 'push', needsSecrets: true, skip: describeOff, run: checkPush }];

function describeOff({ secrets }: CheckInput): string | undefined {
  const isOff = secrets?.vapidKey === undefined && secrets?.fcmCredentials === undefined;
  return isOff ? 'push is off: neither VAPID_KEY nor FCM_CREDENTIALS is set' : undefined;
}

/** Whether this machine can connect to the push services: each vendor's browsers get pushes through its own only. */
async function checkPush({ config, secrets }: CheckInput): Promise<Finding[]> {
  if (secrets?.vapidKey === undefined) return [];
  const hosts = listSampleHosts(config.PUSH_HOSTS);
  const failures = (await Promise.all(hosts.map(findFailure))).filter((failure) => failure !== undefined);
  if (failures.length === 0) return [];
  const subject =
    failures.length === hosts.length ? 'no push service can be reached' : 'a push service can not be reached';
  return [
    {
      problem: `${subject}: ${failures.join(', ')}`,
      remedy: 'let this machine make https connections to the outside, and correct PUSH_HOSTS if you changed it',
    },
  ];
}

/** Names the host and the error; undefined if a connection was made. */
async function findFailure(host: string): Promise<string | undefined> {
  const { hostname, port } = new URL(host.startsWith('https:') ? host : `https://${host}`);
  const socket = connect({ host: hostname, port: port === '' ? 443 : Number(port) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return undefined;
  } catch (error) {
    return `${host} (${codeOf(error)})`;
  } finally {
    socket.destroy();
  }
}
