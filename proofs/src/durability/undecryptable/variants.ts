/** What a crowd can be made to do without, and would miss. */
import type { Change } from '../../harness/sabotage/change.ts';
import { loadSabotagedClient } from '../../harness/sabotage/client.ts';
import type { ClientSabotage } from './browser-pool.ts';

interface Variant {
  defences?: NonNullable<ClientSabotage['defences']>;
  client?: Change[];
}

export const VARIANTS: Record<string, Variant> = {
  'former-devices': { defences: { formerDevices: false } },
  'waiting-device': { defences: { dehydratedDevice: false } },
  'late-keys': { defences: { lateKeys: false } },
  'fresh-device': { defences: { freshDevice: false } },
  'key-backup': {
    client: [{ file: 'crypto/engine/key-maintenance.ts', phrase: 'await backup.upload();', replacement: '' }],
  },
};

export async function clientSabotageOf(name: string | undefined): Promise<ClientSabotage> {
  const { defences, client } = (name !== undefined && VARIANTS[name]) || {};
  const program = name !== undefined && client ? await loadSabotagedClient(name, client) : undefined;
  return { ...(defences && { defences }), ...(program && { program }) };
}
