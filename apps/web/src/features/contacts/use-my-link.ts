import type { Client } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { codeOf } from '../../core/lib/failure.ts';
import { useLive } from '../../core/lib/use-live.ts';
import { useNow } from '../../core/lib/use-now.ts';

/** The server stores only a hash of the link, so the account's devices share the link in an encrypted setting. */
const SETTING = 'invite';
const MyLink = z.object({ id: z.uuid(), link: z.url(), expiresAt: z.number() });
type MyLink = z.infer<typeof MyLink>;

interface MyLinkState {
  /** `null` if there is no valid link; undefined until loaded. */
  mine: MyLink | null | undefined;
  usesLeft: number | undefined;
  /** Creates a link, which replaces the previous one. */
  make: () => Promise<void>;
  revoke: () => Promise<void>;
}

export function useMyLink(client: Client, me: AccountId): MyLinkState {
  const settings = useLive(client.live.settings());
  const now = useNow();
  const [alive, setAlive] = useState<ReadonlyMap<string, number>>();
  const saved = settings && (MyLink.safeParse(settings[SETTING]).data ?? null);
  const id = saved?.id;

  useEffect(() => {
    if (id === undefined) return;
    let isOver = false;
    client.contacts.listInvites().then(
      (invites) => !isOver && setAlive(new Map(invites.map((invite) => [invite.id, invite.usesLeft]))),
      // Offline: keep showing the stored link.
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [client, id]);

  const isOver = saved && (saved.expiresAt <= now || (alive !== undefined && (alive.get(saved.id) ?? 0) === 0));

  async function create(publicKey: string): Promise<void> {
    const replaces = saved && !isOver ? { replaces: saved.id } : {};
    const { link, invite } = await client.contacts.createInvite({ publicKey, ...replaces });
    setAlive((before) => new Map(before).set(invite.id, invite.usesLeft));
    await client.setSetting(SETTING, { id: invite.id, link, expiresAt: invite.expiresAt } satisfies MyLink);
  }

  return {
    mine: isOver ? null : saved,
    usesLeft: id === undefined ? undefined : alive?.get(id),
    async make() {
      const publicKey = await waitForKey(client, me);
      try {
        await create(publicKey);
      } catch (error) {
        if (codeOf(error) !== 'too_many') throw error;
        // Other links are left over from deleted devices: revoke the oldest.
        const [oldest] = (await client.contacts.listInvites()).toSorted((one, two) => one.createdAt - two.createdAt);
        if (oldest) await client.contacts.revokeInvite(oldest.id);
        await create(publicKey);
      }
    },
    async revoke() {
      if (id !== undefined) await client.contacts.revokeInvite(id);
      await client.setSetting(SETTING, undefined);
    },
  };
}

/** The client may still be opening the keys after a start, so an early press waits for them. */
const KEYS_TIMEOUT_MS = 30_000;

async function waitForKey({ keys }: Client, me: AccountId): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new Error('the keys are not there yet')), KEYS_TIMEOUT_MS);
  function ask(): void {
    keys.masterKeyOf(me).then(
      (key) => key !== undefined && resolve(key),
      () => {},
    );
  }
  const stop = keys.onChange(ask);
  ask();
  return promise.finally(() => {
    clearTimeout(timer);
    stop();
  });
}
