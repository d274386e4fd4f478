/**
 * How this page is told who it is: `/walk#me=…&peer=…&token=…`, printed by `./dev admin walk`.
 *
 * The token stands in the fragment, which browsers send to nobody, and leaves the address bar at once, so that it ends
 * up neither in a log nor in the history.
 */
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';

const Walk = z.object({ me: AccountId, peer: AccountId });
export type Walk = z.infer<typeof Walk>;

const Link = Walk.extend({ token: z.string().regex(/^[\w-]+$/) });

/** Survives a reload of this tab; another tab may be somebody else. */
const REMEMBERED = 'walk';

/** Takes the link out of the address bar; after a reload, what it said. */
export function takeWalk(): Walk | undefined {
  const link = Link.safeParse(Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
  if (!link.success) return recallWalk();
  const { token, ...walk } = link.data;
  document.cookie = `${SESSION_COOKIE}=${token}; Secure; Path=/; SameSite=Lax`;
  sessionStorage.setItem(REMEMBERED, JSON.stringify(walk));
  history.replaceState(history.state, '', location.pathname);
  return walk;
}

function recallWalk(): Walk | undefined {
  return Walk.safeParse(JSON.parse(sessionStorage.getItem(REMEMBERED) ?? 'null')).data;
}
