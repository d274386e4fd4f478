import { jetstreamManager } from '@nats-io/jetstream';
import { AuthorizationError } from '@nats-io/transport-node';
import { connectNats } from '../../platform/bus/nats.ts';
import { codeOf } from './finding.ts';
import type { Check, Finding, CheckInput } from './finding.ts';

/** Older versions accept our limits on the age of messages and ignore them. */
const OLDEST = [2, 11];

export const busChecks: Check[] = [{ part: 'nats', needsSecrets: true, run: checkBus }];

async function checkBus({ config, secrets }: CheckInput): Promise<Finding[]> {
  const address = { servers: config.NATS_URLS, credentials: secrets?.natsCredentials };
  const connection = await connectNats(address, 'dostar doctor', false).catch((error: unknown) => error as Error);
  if (connection instanceof AuthorizationError) {
    return [
      { problem: 'NATS refuses the credentials', remedy: 'correct NATS_CREDENTIALS, or the user in its configuration' },
    ];
  }
  if (connection instanceof Error) {
    return [
      {
        problem: `NATS does not answer at ${config.NATS_URLS.join(', ')} (${codeOf(connection)})`,
        remedy: 'start it, or correct NATS_URLS',
      },
    ];
  }
  try {
    const version = connection.info?.version ?? '0';
    if (isOlder(version)) {
      return [{ problem: `this is NATS ${version}`, remedy: `install ${OLDEST.join('.')} or newer` }];
    }
    await (await jetstreamManager(connection)).getAccountInfo();
    return [];
  } catch (error) {
    return [
      {
        problem: `NATS stores no jobs: JetStream is off (${(error as Error).message})`,
        remedy: 'add jetstream { store_dir: "…" } to its configuration and restart it; until then no email is sent',
      },
    ];
  } finally {
    await connection.close();
  }
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST[0]! || (major === OLDEST[0] && minor < OLDEST[1]!);
}
