/**
 * Contacts, for the screens. A decision or change is one row in the outbox, ahead of all messages to the same contact; it
 * shows at once, and is sent when the server is available.
 */
import type { ContactPreferences } from '@dostar/protocol/contract/contact-preferences';
import * as contract from '@dostar/protocol/contract/contacts';
import * as invites from '@dostar/protocol/contract/invites';
import { type Projection, readProfile } from '@dostar/protocol/contract/profile';
import { type Privacy, setPrivacy } from '@dostar/protocol/contract/privacy';
import { type AccountId, directChat } from '@dostar/protocol/ids';
import type { ItemDeps } from '../account-data/items.ts';
import { writeNudge } from '../storage/meta.ts';
import type { Db } from '../storage/open.ts';
import type { ContactJob } from '../storage/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { newMessageId } from '../messages/send/message-id.ts';
import { nextPos } from '../messages/store.ts';
import { callEndpoint } from '../net/http.ts';
import { setSealedPreferences } from './sealed-preferences.ts';
import { updateCachedProfile, cacheUsers } from './user-cache.ts';

export interface Contacts {
  /** Finds a user by the complete username; throws `not_found`. */
  find(username: string): Promise<contract.FoundUser>;
  /** Adds a contact, or accepts a request. */
  accept(peer: AccountId): Promise<void>;
  decline(peer: AccountId): Promise<void>;
  remove(peer: AccountId): Promise<void>;
  block(peer: AccountId): Promise<void>;
  unblock(peer: AccountId): Promise<void>;
  report(peer: AccountId, reason: contract.ReportReason, note?: string): Promise<void>;
  /** Sets the given preferences and leaves the others. */
  change(peer: AccountId, changes: Partial<ContactPreferences>): Promise<void>;
  /** Returns what the contact shows of their profile; also updates their cached name and photo. */
  readProfile(peer: AccountId): Promise<Projection>;
  setPrivacy(changes: Partial<Privacy>): Promise<Privacy>;
  /** Creates a link for friends; the QR code contains it too. `publicKey` is this account's master key. */
  createInvite(options: { publicKey: string; replaces?: string }): Promise<{ link: string; invite: invites.Invite }>;
  listInvites(): Promise<invites.Invite[]>;
  revokeInvite(id: string): Promise<void>;
}

export function createContacts(db: Db, deps: ClientDeps & ItemDeps, signal: AbortSignal): Contacts {
  const decide = (decision: contract.Decision) => (peer: AccountId) => addJob(db, deps, peer, { decision });
  return {
    async find(username) {
      const { user } = await callEndpoint(deps, contract.findUser, { username }, signal);
      await cacheUsers(db, [user], deps.clock.now());
      return user;
    },
    accept: decide('accept'),
    decline: decide('decline'),
    remove: decide('remove'),
    block: decide('block'),
    unblock: decide('unblock'),
    async report(peer, reason, note) {
      const act = newMessageId(deps.clock.now(), deps.random);
      const body = { act, peer, reason, ...(note !== undefined && { note }) };
      await callEndpoint(deps, contract.reportAccount, body, signal);
    },
    async change(peer, changes) {
      await setSealedPreferences(db, deps, peer, changes);
      const visible = contract.ContactChanges.parse(changes);
      if (Object.keys(visible).length > 0) await addJob(db, deps, peer, { changes: visible });
    },
    async readProfile(peer) {
      const shown = await callEndpoint(deps, readProfile, { account: peer }, signal);
      await updateCachedProfile(db, peer, shown.personal);
      return shown;
    },
    setPrivacy: (changes) => callEndpoint(deps, setPrivacy, changes, signal),
    async createInvite({ publicKey, replaces }) {
      const body = replaces === undefined ? {} : { replaces };
      const { token, invite } = await callEndpoint(deps, invites.createInvite, body, signal);
      const [{ makeInviteLink }, { fingerprintOf }] = await Promise.all([
        import('./invite-link.ts'),
        import('./fingerprint.ts'),
      ]);
      return { link: makeInviteLink(deps.baseUrl, token, await fingerprintOf(publicKey)), invite };
    },
    async listInvites() {
      return (await callEndpoint(deps, invites.listInvites, undefined, signal)).invites;
    },
    async revokeInvite(id) {
      await callEndpoint(deps, invites.revokeInvite, { id }, signal);
    },
  };
}

type ContactChange = Pick<ContactJob, 'decision' | 'changes'>;

async function addJob(
  db: Db,
  { account, clock, random }: ClientDeps,
  peer: AccountId,
  change: ContactChange,
): Promise<void> {
  const id = newMessageId(clock.now(), random);
  await db.transaction('rw', [db.outbox, db.chats, db.meta], async () => {
    await db.outbox.add({
      kind: 'contact',
      pos: await nextPos(db),
      chat: directChat(account, peer),
      id,
      peer,
      ...change,
    });
    // Messages to the contact may be waiting for keys or for a decision: this job must not wait with them.
    await writeNudge(db, id);
  });
}
