/**
 * How this page is told who it is: `/walk#me=…&peer=…&token=…`, printed by `./dev admin walk`. With `&key=…`, an account
 * key, notes are sealed as in the product; without it they are not sealed at all.
 *
 * The token stands in the fragment, which browsers send to nobody, and leaves the address bar at once, so that it ends
 * up neither in a log nor in the history.
 */
import { createKeyKeeper } from '@dostar/client/key-keeper';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';

const Walk = z.object({ me: AccountId, peer: AccountId, isSealed: z.boolean() });
export type Walk = z.infer<typeof Walk>;

const Link = Walk.omit({ isSealed: true }).extend({
  token: z.string().regex(/^[\w-]+$/),
  key: z.base64url().length(43).optional(),
});

/** Survives a reload of this tab; another tab may be somebody else. */
const REMEMBERED = 'walk';

/** Takes the link out of the address bar; after a reload, what it said. */
export async function takeWalk(): Promise<Walk | undefined> {
  const link = Link.safeParse(Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
  if (!link.success) return recallWalk();
  const { token, key, ...who } = link.data;
  const walk = { ...who, isSealed: key !== undefined };
  document.cookie = `${SESSION_COOKIE}=${token}; Secure; Path=/; SameSite=Lax`;
  sessionStorage.setItem(REMEMBERED, JSON.stringify(walk));
  history.replaceState(history.state, '', location.pathname);
  if (key !== undefined) await createKeyKeeper({ indexedDB, IDBKeyRange }).put(walk.me, decodeKey(key));
  return walk;
}

function recallWalk(): Walk | undefined {
  return Walk.safeParse(JSON.parse(sessionStorage.getItem(REMEMBERED) ?? 'null')).data;
}

function decodeKey(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}
