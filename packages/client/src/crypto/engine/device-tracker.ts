/** Tracks the devices of all chat partners; without them a client can't tell their messages from forgeries. */
import type { AccountId } from '@dostar/protocol/ids';
import { accountOf, MatrixUser } from '@dostar/protocol/matrix-ids';
import type { ClientDeps } from '../../deps.ts';
import type { RequestSender } from './request-sender.ts';
import type { Engine } from './engine.ts';
import type { KeyMetadataStore } from './key-metadata.ts';

export interface DeviceTracker {
  /** Returns once the engine has the devices of these accounts, or the query has failed. */
  track(accounts: readonly AccountId[]): Promise<void>;
  /** Does not wait for the network: the engine queries these accounts at the next flush. */
  follow(accounts: readonly AccountId[]): Promise<void>;
  listFollowed(): Iterable<AccountId>;
  revisionOf(account: AccountId): number | undefined;
  /** An account without a revision is queried again before a message is encrypted for it. */
  setRevisions(revisions: ReadonlyMap<AccountId, number | undefined>): Promise<void>;
}

interface DeviceTrackerDeps extends Pick<ClientDeps, 'log'> {
  engine: Engine;
  keyMetadata: KeyMetadataStore;
  requestSender: () => RequestSender;
}

export async function createDeviceTracker({
  engine,
  keyMetadata,
  requestSender,
  log,
}: DeviceTrackerDeps): Promise<DeviceTracker> {
  const tracked = new Map<AccountId, Promise<void>>();
  // Includes accounts from earlier starts: keys that came from them may not be backed up yet.
  const followed = new Set(await listTracked(engine));
  const revisions = new Map(Object.entries((await keyMetadata.get('revs')) ?? {}) as [AccountId, number][]);

  async function add(accounts: readonly AccountId[]): Promise<void> {
    await engine.machine.updateTrackedUsers(engine.users(accounts));
    for (const account of accounts) followed.add(account);
  }

  let turn = Promise.resolve();
  let gathering: { accounts: AccountId[]; done: Promise<void> } | undefined;

  /** Accounts that arrive during a query share the next one: a new browser needs all its contacts at once. */
  function begin(account: AccountId): Promise<void> {
    if (gathering === undefined) {
      const accounts: AccountId[] = [];
      const done = turn.then(() => {
        gathering = undefined;
        return ask(accounts);
      });
      turn = done.catch(() => {});
      gathering = { accounts, done };
    }
    gathering.accounts.push(account);
    return gathering.done;
  }

  async function ask(accounts: readonly AccountId[]): Promise<void> {
    await add(accounts);
    await requestSender()
      .flushQueries()
      .catch((error: unknown) => log('devices not asked for', { error }));
  }

  return {
    async track(accounts) {
      for (const account of accounts) if (!tracked.has(account)) tracked.set(account, begin(account));
      for (const account of accounts) await tracked.get(account);
    },
    async follow(accounts) {
      const fresh = accounts.filter((account) => !followed.has(account));
      if (fresh.length > 0) await add(fresh);
    },
    listFollowed: () => followed,
    revisionOf: (account) => revisions.get(account),
    async setRevisions(newer) {
      for (const [account, rev] of newer) {
        if (rev === undefined) revisions.delete(account);
        else revisions.set(account, rev);
      }
      await keyMetadata.put('revs', Object.fromEntries(revisions));
    },
  };
}

async function listTracked({ machine }: Engine): Promise<AccountId[]> {
  return Array.from(await machine.trackedUsers(), (tracked) => {
    using user = tracked;
    return accountOf(MatrixUser.parse(user.toString()));
  });
}
