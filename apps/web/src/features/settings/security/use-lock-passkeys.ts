import { useEffect, useState } from 'react';
import { hasPasskeySupport, loadPasskeys } from '../../../core/session/passkeys.ts';

/** The passkeys that can lock the app, or why there are none. */
export type LockPasskeys = { credentials: string[] } | 'loading' | 'noPasskeys' | 'noneYet' | 'passkeysOffline';

/** Some browsers report in advance that their passkeys cannot derive keys (PRF). */
async function canDerive(): Promise<boolean> {
  if (!hasPasskeySupport()) return false;
  const known = await PublicKeyCredential.getClientCapabilities?.().catch(() => undefined);
  return known?.['extension:prf'] !== false;
}

async function findPasskeys(): Promise<LockPasskeys> {
  if (!(await canDerive())) return 'noPasskeys';
  try {
    const passkeys = await (await loadPasskeys()).list();
    const credentials = passkeys.filter(({ unlocks }) => unlocks).map(({ id }) => id);
    return credentials.length === 0 ? 'noneYet' : { credentials };
  } catch {
    return 'passkeysOffline';
  }
}

export function useLockPasskeys(): LockPasskeys {
  const [found, setFound] = useState<LockPasskeys>('loading');
  useEffect(() => void findPasskeys().then(setFound), []);
  return found;
}
