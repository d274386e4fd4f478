/**
 * Sends the engine's requests to the server, and passes the answers to the engine.
 *
 * If an answer is lost, the engine makes the request again under its id, also after a restart, and the server handles
 * repeats without harm. So this module stores nothing, and marks a request as sent only after its answer.
 */
import * as keys from '@dostar/protocol/contract/device-keys';
import { sendToDevice } from '@dostar/protocol/contract/to-device';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { accountOf, MatrixUser, userOf } from '@dostar/protocol/matrix-ids';
import type { OlmMachine } from '@matrix-org/matrix-sdk-crypto-wasm';
import type { z } from 'zod';
import type { ClientDeps } from '../../deps.ts';
import type { Call } from '../../net/call.ts';
import type { Engine } from './engine.ts';
import type { KeyMetadataStore } from './key-metadata.ts';
import type { Mutex } from '../../lib/mutex.ts';

type EngineRequest = Awaited<ReturnType<OlmMachine['outgoingRequests']>>[number];

export interface RequestSender {
  /** Sends one request and passes the answer to the engine. */
  send(request: EngineRequest): Promise<unknown>;
  /**
   * Sends all pending requests of the engine. If one fails, the others are still sent, and the error is thrown at the
   * end.
   */
  flush(): Promise<void>;
  /** Only the requests that encryption waits for: uploads of this device's keys, and key queries. */
  flushQueries(): Promise<void>;
  /**
   * Queries the devices of these accounts now, whether or not the engine thinks it needs to. Returns the master keys
   * that the server names, possibly also of other accounts. Throws unless all of `accounts` are answered.
   */
  query(accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, string>>;
  /** Claims one-time keys for devices without an Olm session, or with a broken one. */
  claim(accounts: readonly AccountId[]): Promise<void>;
  /** Shows the account's deleted devices to the engine, so that it attributes their keys to the account. */
  loadFormerDevices(account: AccountId): Promise<void>;
}

interface RequestSenderDeps extends Pick<ClientDeps, 'log'> {
  call: Call;
  mutex: Mutex;
  /** Called before a request is sent: a device that forgets keys it has published can never be trusted again. */
  persist(): Promise<void>;
  onRevisions(revisions: ReadonlyMap<AccountId, number | undefined>): Promise<void>;
  /** Called under DEVICE_LISTS_LOCK, once the engine has stored the server's answer about these accounts. */
  onDeviceLists(accounts: readonly AccountId[]): Promise<void>;
  /** Called while the engine takes former devices of the account for present ones; nothing is encrypted meanwhile. */
  onFormerDevices(account: AccountId): Promise<void>;
  keyMetadata: Pick<KeyMetadataStore, 'put'>;
}

export function createRequestSender(engine: Engine, deps: RequestSenderDeps): RequestSender {
  const { call, mutex, persist, onRevisions, log } = deps;
  const { machine, library } = engine;
  const { RequestType } = library;

  async function send(request: EngineRequest): Promise<unknown> {
    const { id, type } = request;
    await persist();
    const reply = await post(request);
    if (type === RequestType.KeysQuery) return storeDeviceLists(request, reply);
    // Requests that the engine does not track, such as a signature, have no id.
    if (id !== undefined) await machine.markRequestAsSent(id, type, JSON.stringify(reply));
    return reply;
  }

  /** Takes DEVICE_LISTS_LOCK: an identity must not change between its check and the sharing of a key. */
  async function storeDeviceLists({ id, type }: EngineRequest, reply: unknown): Promise<unknown> {
    const revisions = revisionsOf(reply);
    await mutex.run(DEVICE_LISTS_LOCK, async () => {
      if (id !== undefined) await machine.markRequestAsSent(id, type, JSON.stringify(reply));
      await deps.onDeviceLists([...revisions.keys()]);
    });
    await onRevisions(revisions);
    return reply;
  }

  async function post(request: EngineRequest): Promise<unknown> {
    // The contract parses the engine's request before it is sent.
    const body = JSON.parse(request.body) as never;
    switch (request.type) {
      case RequestType.KeysUpload:
        return call(keys.uploadKeys, body).catch(throwRetryable);
      case RequestType.KeysQuery:
        return call(keys.queryKeys, body);
      case RequestType.KeysClaim:
        return call(keys.claimKeys, body);
      case RequestType.SignatureUpload:
        return call(keys.uploadSignatures, body);
      case RequestType.ToDevice: {
        const { event_type: eventType, txn_id: txn } = request as { event_type: string; txn_id: string };
        return call(sendToDevice, { type: eventType, txn, messages: (body as { messages: never }).messages });
      }
      case RequestType.RoomMessage:
      case RequestType.KeysBackup:
        // The engine never makes these requests.
        throw new AppError('internal');
    }
  }

  function logUnsent({ type }: EngineRequest, error: unknown): void {
    log('engine request not sent', { type, code: error instanceof AppError ? error.code : 'internal' });
  }

  /** The engine offers a request again until it is marked as sent: two flushes at once would send everything twice. */
  async function flushMatching(isWanted: (request: EngineRequest) => boolean): Promise<void> {
    await mutex.run('flush', async () => {
      let failure: unknown;
      // Stop after a failure: the engine would offer the failed request again in the next round.
      for (let round = 0; round < MAX_ROUNDS && failure === undefined; round += 1) {
        const requests = (await machine.outgoingRequests()).filter(isWanted);
        if (requests.length === 0) break;
        for (const request of requests) {
          try {
            await send(request);
          } catch (error) {
            failure ??= error;
            logUnsent(request, error);
          }
        }
      }
      if (failure !== undefined) throw failure;
    });
  }

  /**
   * The engine's own pending queries about these accounts are sent instead of new ones: while one is pending,
   * `getIdentity` waits up to a second for its response, and no other response ends that wait.
   */
  async function query(accounts: readonly AccountId[]): Promise<Map<AccountId, string>> {
    const uncovered = new Set(accounts);
    const masterKeys = new Map<AccountId, string>();
    async function sendQuery(request: EngineRequest): Promise<void> {
      for (const [account, key] of masterKeysOf(await send(request))) masterKeys.set(account, key);
    }
    for (const request of await machine.outgoingRequests()) {
      const covered = queriedAccounts(request).filter((account) => uncovered.has(account));
      if (covered.length === 0) continue;
      try {
        await sendQuery(request);
        for (const account of covered) uncovered.delete(account);
      } catch (error) {
        // The request may include accounts whose shard is down: query the caller's accounts without them.
        logUnsent(request, error);
      }
    }
    if (uncovered.size > 0) await sendQuery(machine.queryKeysForUsers(engine.users(uncovered)));
    return masterKeys;
  }

  /** Empty for a request that is not a key query. */
  function queriedAccounts({ type, body }: EngineRequest): AccountId[] {
    if (type !== RequestType.KeysQuery) return [];
    const { device_keys: users } = QueryBody.parse(JSON.parse(body));
    return Object.keys(users).map((user) => accountOf(MatrixUser.parse(user)));
  }

  /** The engine has one device list per user, so the former devices are added for a moment and removed again. */
  async function applyFormerDevices(account: AccountId, present: QueryReply, gone: Devices): Promise<void> {
    const user = userOf(account);
    const all = { ...present.device_keys, [user]: { ...gone, ...present.device_keys[user] } };
    await mutex.run(DEVICE_LISTS_LOCK, async () => {
      // If this tab dies in between, the next one queries all lists again.
      await deps.keyMetadata.put('isRecalling', true);
      await answer(account, { ...present, device_keys: all });
      await deps.onFormerDevices(account);
      await answer(account, present);
      await deps.onDeviceLists([account]);
      await deps.keyMetadata.put('isRecalling', false);
    });
  }

  async function answer(account: AccountId, reply: QueryReply): Promise<void> {
    const { id, type } = machine.queryKeysForUsers(engine.users([account]));
    await machine.markRequestAsSent(id, type, JSON.stringify(reply));
  }

  return {
    send,
    flush: () => flushMatching(() => true),
    flushQueries: () => flushMatching(({ type }) => type === RequestType.KeysQuery || type === RequestType.KeysUpload),
    query: (accounts) => mutex.run('flush', () => query(accounts)),
    async claim(accounts) {
      await mutex.run('claim', async () => {
        const request = await machine.getMissingSessions(engine.users(accounts));
        if (request) await send(request);
      });
    },
    async loadFormerDevices(account) {
      const user = userOf(account);
      await mutex.run('flush', async () => {
        const { device_keys: former } = await call(keys.listDeletedDevices, { users: [user] });
        const present = await call(keys.queryKeys, { device_keys: { [user]: [] } });
        await applyFormerDevices(account, present, former[user] ?? {});
        await onRevisions(revisionsOf(present));
      });
    },
  };
}

type QueryReply = z.output<typeof keys.queryKeys.reply>;
type Devices = QueryReply['device_keys'][MatrixUser];

/** Held while the engine's device lists are read for encryption, and while former devices are added to them. */
export const DEVICE_LISTS_LOCK = 'lists';

const QueryBody = keys.queryKeys.body.pick({ device_keys: true });
const DeviceLists = keys.queryKeys.reply.pick({ device_keys: true, device_revs: true });

/** Each answer may cause new requests; more rounds than this mean an endless loop. */
const MAX_ROUNDS = 10;

function masterKeysOf(reply: unknown): Map<AccountId, string> {
  const { master_keys: named } = keys.queryKeys.reply.pick({ master_keys: true }).parse(reply);
  return new Map(
    Object.entries(named).map(([user, { keys: key }]) => [
      accountOf(MatrixUser.parse(user)),
      Object.values(key)[0] ?? '',
    ]),
  );
}

/** The revision is undefined for an account that this account may not see. */
function revisionsOf(reply: unknown): Map<AccountId, number | undefined> {
  const { device_keys: asked, device_revs: revs } = DeviceLists.parse(reply);
  const users = Object.keys({ ...asked, ...revs }).map((user) => MatrixUser.parse(user));
  return new Map(users.map((user) => [accountOf(user), revs[user]]));
}

/**
 * After a device was renewed, a server process may remember the former one for seconds, and refuses the new keys. The
 * refusal becomes a retryable error: otherwise the message that needs the keys would fail permanently.
 */
function throwRetryable(error: unknown): never {
  throw error instanceof AppError && error.code === 'forbidden' ? new AppError('unavailable') : error;
}
