import { jetstreamManager } from '@nats-io/jetstream';
import { connectNats } from '../../platform/bus/nats.ts';
import { codeOf } from './finding.ts';
import type { Check, Finding, Patient } from './finding.ts';

/** Older ones take our limits on the age of messages and ignore them. */
const OLDEST = [2, 11];

export const busChecks: Check[] = [{ part: 'nats', look: lookAtBus }];

async function lookAtBus({ config }: Patient): Promise<Finding[]> {
  const connection = await connectNats(config.NATS_URLS, 'dostar doctor', false).catch(
    (error: unknown) => error as Error,
  );
  if (connection instanceof Error) {
    return [
      {
        problem: `NATS does not answer at ${config.NATS_URLS.map(withoutPassword).join(', ')} (${codeOf(connection)})`,
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
        problem: `NATS keeps no jobs: JetStream is off (${(error as Error).message})`,
        remedy: 'add jetstream { store_dir: "…" } to its configuration and restart it; no letter is sent before',
      },
    ];
  } finally {
    await connection.close();
  }
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//');
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST[0]! || (major === OLDEST[0] && minor < OLDEST[1]!);
}
