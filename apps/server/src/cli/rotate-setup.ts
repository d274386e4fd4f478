/**
 * Replaces OPAQUE_SETUP in three steps, with a restart of every process after each, as for SECRET_KEY.
 *
 * A password stays valid under the setup that it was registered with, until it is changed. The server never sees passwords,
 * so it can't register them again.
 */
import type { Context } from '../context.ts';
import { countPasswordsWithOldSetup } from '../features/identity/passwords/service.ts';
import { createSetup, nameSetup } from '../platform/security/opaque.ts';
import { beginKey, setPrimaryKey, requirePrimaryKey, writeKeys } from './rotate-key.ts';

const NAME = 'opaque-setup';

export async function beginSetup(path: string): Promise<string> {
  return beginKey(path, NAME, await createSetup());
}

export async function useSetup(path: string, id: string): Promise<string> {
  await setPrimaryKey(path, id);
  return (
    `key ${id} registers passwords; copy ${path} to every machine and restart every process. ` +
    `Older passwords stay valid until they are changed; then: rotate ${NAME} finish ${id}`
  );
}

/** `isForced`: ignores older passwords. Their owners have to reset them by email. */
export async function finishSetup(ctx: Context, path: string, id: string, isForced: boolean): Promise<string> {
  const wanted = await requirePrimaryKey(path, NAME, id);
  if (ctx.opaque.setup !== nameSetup(wanted))
    throw new Error(`restart every process first: key ${id} is not in use yet`);
  const left = await countPasswordsWithOldSetup(ctx);
  if (left > 0 && !isForced) {
    throw new Error(
      `${left} passwords were set with an older key: wait until their owners change them, or add the word "now"; ` +
        'then these people have to reset their passwords by email',
    );
  }
  await writeKeys(path, [wanted]);
  return `key ${id} is the only one; copy ${path} to every machine and restart every process`;
}
