/** Runs the operator's command after a restore as a separate program, or the same with a part left out. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readConfig } from '../../../../apps/server/src/config.ts';
import { raiseEpoch as raiseOnly } from '../../../../apps/server/src/features/messaging/mailbox/restore-repair.ts';
import { openContext } from '../../../../apps/server/src/open-context.ts';
import { readSecrets } from '../../../../apps/server/src/secrets.ts';
import { REPO_ROOT } from '../../harness/lib/engines.ts';
import { silentBus } from '../../harness/lib/silent-bus.ts';
import type { Variant } from './plan.ts';

const execute = promisify(execFile);
const ADMIN = join(REPO_ROOT, 'apps/server/src/admin.ts');

export async function raiseEpoch(env: Record<string, string>, shard: number, without?: Variant): Promise<string> {
  if (without === 'raise-epoch') return 'the operator forgets to raise the epoch';
  if (without === 'redelivery') {
    await using opened = await openContext(readConfig(env), readSecrets(env), { bus: silentBus });
    return `${await raiseOnly(opened.ctx, shard)} mailboxes begin a new epoch, and nothing is copied`;
  }
  const { stdout } = await execute(process.execPath, [ADMIN, 'raise-epoch', String(shard)], {
    env: { ...process.env, ...env },
  });
  return stdout.trim().replaceAll('\n', '; ');
}
