import type { Client } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { codeOf } from '../../core/lib/failure.ts';
import { useLive } from '../../core/lib/use-live.ts';
import { useNow } from '../../core/lib/use-now.ts';

/** The server keeps only a hash of a link: the account's own devices remember it, sealed, to show the same code again. */
const SETTING = 'invite';
const MyLink = z.object({ id: z.uuid(), link: z.url(), expiresAt: z.number() });
type MyLink = z.infer<typeof MyLink>;

interface MyLinkState {
  /** `null`: there is none. Missing until it is known. */
  mine: MyLink | null | undefined;
  usesLeft: number | undefined;
  /** Makes one; the former one ends with it. */
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
      // Without a network the link is shown as it was.
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
        // Links of devices that are gone: the oldest is removed.
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

/** Right after a start the keys are just being opened; an early press waits for them instead of failing. */
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
