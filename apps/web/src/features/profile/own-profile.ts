/**
 * Store of the user's own profile, shared by the profile tabs. Saves show at once and are reverted if the server
 * rejects them. Changes from other browser tabs arrive too, so that untouched forms show them.
 */
import type { Audience, Group, GroupName, Profile } from '@dostar/protocol/contract/profile';
import type { GroupChange } from '@dostar/client/profile';
import { codeOf } from '../../core/lib/failure.ts';
import { sessionStore } from '../../core/session/session.ts';
import { warnNoUser } from '../../core/lib/warn-no-user.ts';
import { createStore, useStore } from '../../core/lib/store.ts';
import { openProfileClient, readSignedInId } from '../../core/messenger/profile-client.ts';

export interface OwnProfile {
  status: 'loading' | 'failed' | 'ready';
  owner?: string;
  profile?: Profile;
}

const loading: OwnProfile = { status: 'loading' };
const store = createStore<OwnProfile>(loading);

export function useOwnProfile(): OwnProfile {
  return useStore(store, loading);
}

/** Loads the profile once per account; `isAgain` reloads it. */
export async function loadOwnProfile(isAgain = false): Promise<void> {
  const owner = readSignedInId();
  const known = store.read();
  if (owner === undefined) {
    warnNoUser();
    return;
  }
  if (known.status === 'ready' && known.owner === owner && !isAgain) return;
  if (known.owner !== owner || known.status === 'failed') store.write({ status: 'loading', owner });
  try {
    const profile = await openProfileClient().get();
    if (readSignedInId() === owner) show(owner, profile);
  } catch {
    if (store.read().status !== 'ready') store.write({ status: 'failed', owner });
  }
}

/** Throws the server's error. After `stale_revision` the store holds the newer profile, for the conflict card. */
export async function saveGroup<Name extends GroupName>(
  name: Name,
  next: { audience: Audience; value: Group<Name> },
): Promise<void> {
  const { owner, profile } = store.read();
  if (owner === undefined || profile === undefined) throw new Error('nothing has been read yet');
  const { revision } = profile[name];
  show(owner, { ...profile, [name]: { ...next, revision } });
  try {
    const saved = await openProfileClient().save({ group: name, revision, ...next } as GroupChange);
    show(owner, { ...(store.read().profile ?? profile), [name]: { ...next, revision: saved } });
    tellOthers();
  } catch (error) {
    show(owner, profile);
    if (codeOf(error) === 'stale_revision') await loadOwnProfile(true);
    throw error;
  }
}

export function noteUsername(username: string): void {
  const { owner, profile } = store.read();
  if (owner !== undefined && profile) show(owner, { ...profile, username });
  tellOthers();
}

export function fullNameOf({ name, lastName }: { name: string; lastName: string }): string {
  return `${name} ${lastName}`.trim();
}

function show(owner: string, profile: Profile): void {
  store.write({ status: 'ready', owner, profile });
  const session = sessionStore.read();
  if (session.status !== 'signed-in' || session.account.id !== owner) return;
  const name = fullNameOf(profile.personal.value) || undefined;
  const { username } = profile;
  if (session.account.name === name && session.account.username === username) return;
  sessionStore.write({ status: 'signed-in', account: { ...session.account, name, username } });
}

const channelName = 'profile';
let channel: BroadcastChannel | undefined;

function tellOthers(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A BroadcastChannel has no target origin.
  channel?.postMessage('saved');
}

/** Reloads the profile when another tab saves it, and when the user returns to this tab. */
export function followOtherTabs(): () => void {
  const over = new AbortController();
  const mine = new BroadcastChannel(channelName);
  channel = mine;
  mine.addEventListener('message', () => void loadOwnProfile(true), { signal: over.signal });
  document.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'visible' && void loadOwnProfile(true),
    { signal: over.signal },
  );
  return () => {
    over.abort();
    mine.close();
    if (channel === mine) channel = undefined;
  };
}
