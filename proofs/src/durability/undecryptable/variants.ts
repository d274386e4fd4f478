/** Clients with one safeguard left out; the proof must notice each of them. */
import type { Change } from '@dostar/client/testing/change';
import { WITHOUT } from '@dostar/client/testing/safeguards';
import { loadSabotagedClient } from '../../harness/sabotage/client.ts';
import type { ClientSabotage } from './browser-pool.ts';

export const VARIANTS: Record<string, Change[]> = {
  'former-devices': WITHOUT.formerDevices,
  'waiting-device': WITHOUT.dehydratedDevice,
  'late-keys': WITHOUT.lateKeys,
  'fresh-device': WITHOUT.freshDevice,
  'key-backup': [{ file: 'crypto/engine/key-maintenance.ts', phrase: 'await backup.upload();', replacement: '' }],
};

export async function clientSabotageOf(name: string | undefined): Promise<ClientSabotage> {
  const changes = name === undefined ? undefined : VARIANTS[name];
  return changes === undefined ? {} : { program: await loadSabotagedClient(changes) };
}
