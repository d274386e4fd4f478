/**
 * A key server in memory that can be made to lie, for attacks that a real server would not make. Tests against the real
 * server cover its honest behaviour (test/pair).
 */
import { randomUUID } from 'node:crypto';
import * as backup from '@dostar/protocol/contract/key-backup';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import * as keys from '@dostar/protocol/contract/device-keys';
import { sendToDevice } from '@dostar/protocol/contract/to-device';
import * as users from '@dostar/protocol/contract/users';
import * as vault from '@dostar/protocol/contract/vault';
import { AppError, ERRORS } from '@dostar/protocol/errors';
import { type AccountId, DeviceId } from '@dostar/protocol/ids';
import { accountOf, type MatrixUser, userOf } from '@dostar/protocol/matrix-ids';
import type { KeyChanges } from '@dostar/client';
import type { z } from 'zod';

type Json = Record<string, unknown>;
type ToDevice = KeyChanges['events'][number];

interface BackupState {
  version: string;
  algorithm: string;
  auth_data: Json;
  etag: number;
  rooms: backup.BackupRooms;
  isRetired: boolean;
}

interface FakeAccount {
  devices: Map<string, { keys: keys.DeviceKeys; isDehydrated: boolean }>;
  former: Map<string, keys.DeviceKeys>;
  oneTime: Map<string, Map<string, keys.SignedKey>>;
  fallback: Map<string, { name: string; key: keys.SignedKey; isUsed: boolean }>;
  queues: Map<string, { seq: number; event: ToDevice }[]>;
  signing: {
    master_key?: keys.CrossSigningKey;
    self_signing_key?: keys.CrossSigningKey;
    user_signing_key?: keys.CrossSigningKey;
  };
  rev: number;
  backups: BackupState[];
  lastVersion: number;
  dehydrated?: { device_id: string; device_data: Json };
  dehydratedAge: number;
  vault?: { rev: number; blob: string };
  /** The account's trust list, as its vault stores it. */
  trust?: { rev: number; blob: string };
  /** Replaced revisions of vaults, newest first. */
  replaced: { kind: vault.VaultKind; rev: number; blob: string; replacedAt: number }[];
  isProven: boolean;
}

export interface KeyServer {
  account(id: AccountId): FakeAccount;
  /** Connects a signed-in browser. `device` changes when it is renewed. */
  connect(account: AccountId): FakeSession;
  /** Signs a browser out and deletes its device with all its data. */
  remove(account: AccountId, device: string): void;
  /** Called before every call; throw to refuse it. */
  onCall: (path: string, body: unknown) => void;
  /** Called after every call; returns the reply to send, which may be a lie. */
  onAnswer: (path: string, reply: Json) => Json;
  calls: Map<string, number>;
  say(sender: AccountId, to: AccountId, device: string, event: Omit<ToDevice, 'sender'>): void;
}

export interface FakeSession {
  account: AccountId;
  device: DeviceId;
  fetch: typeof fetch;
  sync(since: string | null): KeyChanges;
}

export function createKeyServer(): KeyServer {
  const accounts = new Map<AccountId, FakeAccount>();
  const changes: { seq: number; account: AccountId }[] = [];
  const sent = new Set<string>();
  let seq = 0;

  const server: KeyServer = {
    account,
    connect,
    remove,
    say,
    onCall: () => {},
    onAnswer: (_, reply) => reply,
    calls: new Map(),
  };
  return server;

  function account(id: AccountId): FakeAccount {
    let one = accounts.get(id);
    if (one === undefined) {
      one = {
        devices: new Map(),
        former: new Map(),
        oneTime: new Map(),
        fallback: new Map(),
        queues: new Map(),
        signing: {},
        rev: 0,
        backups: [],
        lastVersion: 0,
        dehydratedAge: 0,
        replaced: [],
        isProven: false,
      };
      accounts.set(id, one);
    }
    return one;
  }

  function bump(id: AccountId): void {
    seq += 1;
    changes.push({ seq, account: id });
    account(id).rev += 1;
  }

  function remove(id: AccountId, device: string): void {
    const one = account(id);
    const gone = one.devices.get(device);
    if (gone?.isDehydrated === false) one.former.set(device, gone.keys);
    for (const map of [one.devices, one.oneTime, one.fallback, one.queues]) map.delete(device);
    bump(id);
  }

  function say(sender: AccountId, to: AccountId, device: string, event: Omit<ToDevice, 'sender'>): void {
    seq += 1;
    const { queues } = account(to);
    queues.set(device, [...(queues.get(device) ?? []), { seq, event: { sender: userOf(sender), ...event } }]);
  }

  function connect(id: AccountId): FakeSession {
    const session: FakeSession = {
      account: id,
      device: DeviceId.parse(randomUUID()),
      fetch: async (input, init) => {
        const path = new URL(input instanceof Request ? input.url : input).pathname;
        const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
        server.calls.set(path, (server.calls.get(path) ?? 0) + 1);
        await new Promise((resolve) => setImmediate(resolve));
        try {
          server.onCall(path, body);
          return Response.json(server.onAnswer(path, answer(session, path, body)));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return Response.json({ error: error.code, details: error.details }, { status: ERRORS[error.code].status });
        }
      },
      sync(since) {
        const from = Number(since?.split('.')[0] ?? 0);
        const one = account(id);
        const queue = (one.queues.get(session.device) ?? []).filter((row) => row.seq > from);
        one.queues.set(session.device, queue);
        const changed = new Set(changes.filter((change) => change.seq > from).map((change) => userOf(change.account)));
        return {
          events: queue.map(({ event }) => structuredClone(event)),
          changed: [...changed],
          left: [],
          oneTimeKeysCount: { signed_curve25519: one.oneTime.get(session.device)?.size ?? 0 },
          unusedFallbackKeyTypes: one.fallback.get(session.device)?.isUsed === false ? ['signed_curve25519'] : [],
          token: `${seq}.0`,
        };
      },
    };
    return session;
  }

  function answer(session: FakeSession, path: string, body: unknown): Json {
    const me = account(session.account);
    const routes = new Map<string, (body: never) => Json>([
      route(keys.uploadKeys, ({ device_keys: device, one_time_keys: oneTime = {}, fallback_keys: fallback = {} }) => {
        const mine = me.oneTime.get(session.device) ?? new Map<string, keys.SignedKey>();
        const known = me.devices.get(session.device)?.keys;
        const isOther = known && device && JSON.stringify(known.keys) !== JSON.stringify(device.keys);
        const clashes = Object.entries(oneTime).some(
          ([name, key]) => mine.has(name) && mine.get(name)?.key !== key.key,
        );
        if (isOther || clashes) throw new AppError('key_conflict');
        if (device && !known) {
          me.devices.set(session.device, { keys: structuredClone(device), isDehydrated: false });
          bump(session.account);
        }
        for (const [name, key] of Object.entries(oneTime)) mine.set(name, key);
        me.oneTime.set(session.device, mine);
        for (const [name, key] of Object.entries(fallback))
          me.fallback.set(session.device, { name, key, isUsed: false });
        return { one_time_key_counts: { signed_curve25519: mine.size } };
      }),
      route(keys.queryKeys, ({ device_keys: asked }) => query(session.account, Object.keys(asked) as MatrixUser[])),
      route(keys.listDeletedDevices, ({ users: asked }) => ({
        device_keys: Object.fromEntries(
          asked.map((user) => [user, Object.fromEntries(account(accountOf(user)).former)]),
        ),
      })),
      route(keys.claimKeys, ({ one_time_keys: asked }) => claim(asked)),
      route(keys.uploadSigningKeys, (identity) => {
        Object.assign(me.signing, structuredClone(identity));
        bump(session.account);
        return {};
      }),
      route(keys.uploadSignatures, (signed) => {
        for (const [user, objects] of Object.entries(signed)) {
          for (const [name, object] of Object.entries(objects))
            addSignatures(accountOf(user as MatrixUser), name, object);
          bump(accountOf(user as MatrixUser));
        }
        return { failures: {} };
      }),
      route(keys.renewDevice, ({ device }) => {
        if (device === session.device) {
          remove(session.account, device);
          session.device = DeviceId.parse(randomUUID());
        }
        return { device: session.device };
      }),
      route(sendToDevice, ({ type, txn, messages }) => {
        const name = `${session.device}/${txn}`;
        if (sent.has(name)) return {};
        sent.add(name);
        for (const [user, devices] of Object.entries(messages)) {
          const to = accountOf(user as MatrixUser);
          for (const [device, content] of Object.entries(devices)) {
            const targets = device === '*' ? [...account(to).devices.keys()] : [device];
            for (const target of targets) say(session.account, to, target, { type, content });
          }
        }
        return {};
      }),
      route(backup.createBackup, ({ algorithm, auth_data: data }) => {
        me.lastVersion += 1;
        const version = String(me.lastVersion);
        me.backups.push({ version, algorithm, auth_data: data, etag: 0, rooms: {}, isRetired: false });
        return { version };
      }),
      route(backup.getBackup, ({ version }) => {
        const { rooms, etag, isRetired: _, ...rest } = findBackup(me, version);
        return { ...rest, etag: String(etag), count: Object.keys(rooms).length };
      }),
      route(backup.deleteBackup, ({ version }) => {
        const deleted = findBackup(me, version);
        if (Object.keys(deleted.rooms).length > 0) deleted.isRetired = true;
        else me.backups = me.backups.filter((one) => one !== deleted);
        return {};
      }),
      route(backup.restoreBackup, ({ version }) => {
        findBackup(me, version).isRetired = false;
        me.backups = me.backups.filter((one) => Number(one.version) <= Number(version));
        return {};
      }),
      route(backup.putBackupKeys, ({ version, rooms }) => {
        const current = findBackup(me);
        if (current.version !== version)
          throw new AppError('wrong_backup_version', { current_version: current.version });
        for (const [room, { sessions }] of Object.entries(rooms)) {
          const name = room as keyof typeof rooms;
          current.rooms[name] = { sessions: { ...current.rooms[name]?.sessions, ...structuredClone(sessions) } };
        }
        current.etag += 1;
        return { etag: String(current.etag), count: 0 };
      }),
      route(backup.getBackupKeys, ({ version, names }) => {
        const { rooms } = findBackup(me, version);
        if (names === undefined) return { rooms };
        const picked: backup.BackupRooms = {};
        for (const { room, session: id } of names) {
          const found = rooms[room]?.sessions[id];
          if (found !== undefined) (picked[room] ??= { sessions: {} }).sessions[id] = found;
        }
        return { rooms: picked };
      }),
      route(backup.putDehydratedDevice, ({ device, replaces }) => {
        if ((me.dehydrated?.device_id ?? null) !== replaces) throw new AppError('stale_revision');
        if (replaces !== null) remove(session.account, replaces);
        me.dehydrated = { device_id: device.device_id, device_data: device.device_data };
        me.dehydratedAge = 0;
        me.devices.set(device.device_id, { keys: structuredClone(device.device_keys), isDehydrated: true });
        me.oneTime.set(device.device_id, new Map(Object.entries(device.one_time_keys ?? {})));
        for (const [name, key] of Object.entries(device.fallback_keys ?? {})) {
          me.fallback.set(device.device_id, { name, key, isUsed: false });
        }
        bump(session.account);
        return { device_id: device.device_id };
      }),
      route(backup.getDehydratedDevice, () => {
        if (me.dehydrated === undefined) throw new AppError('not_found');
        return { ...me.dehydrated, age_ms: me.dehydratedAge };
      }),
      route(backup.listDehydratedEvents, ({ device_id: id, next_batch: after = '0' }) => {
        const rows = (me.queues.get(id) ?? []).filter((row) => row.seq > Number(after));
        return { events: rows.map(({ event }) => event), next_batch: String(rows.at(-1)?.seq ?? after) };
      }),
      route(vault.getVault, ({ kind }) => me[vaultOf(kind)] ?? { rev: 0, blob: null }),
      route(vault.putVault, ({ kind, rev, blob }) => {
        const current = me[vaultOf(kind)]?.rev ?? 0;
        if (current !== rev) throw new AppError('stale_revision', { rev: current });
        const replaced = me[vaultOf(kind)];
        if (replaced) me.replaced.unshift({ kind, ...replaced, replacedAt: me.replaced.length });
        me[vaultOf(kind)] = { rev: rev + 1, blob };
        return { rev: rev + 1 };
      }),
      route(vault.listVaultRevisions, ({ kind, before }) => {
        const found = me.replaced.filter(
          (one) => one.kind === kind && one.replacedAt < (before?.replacedAt ?? Infinity),
        );
        if (found.length > 0 && !me.isProven) throw new AppError('reauthenticate');
        return { revisions: found.slice(0, 2) };
      }),
      route(users.getUser, () => document(session.account)),
      route(users.updateUser, () => document(session.account)),
    ]);
    const handle = routes.get(path);
    if (handle === undefined) throw new Error(`no route ${path}`);
    return handle(body as never);
  }

  function document(id: AccountId): Json {
    return {
      $id: id,
      email: null,
      username: 'somebody',
      lastOnline: null,
      FCMToken: [],
      publicKey: Object.values(account(id).signing.master_key?.keys ?? {})[0] ?? null,
      isVerified: true,
    };
  }

  function query(asker: AccountId, asked: MatrixUser[]): Json {
    const reply = {
      device_keys: {},
      master_keys: {},
      self_signing_keys: {},
      user_signing_keys: {},
      device_revs: {},
    } as Record<string, Json>;
    for (const user of asked) {
      const one = account(accountOf(user));
      const { master_key: master, self_signing_key: self, user_signing_key: own } = structuredClone(one.signing);
      reply['device_keys']![user] = Object.fromEntries(
        [...one.devices].map(([id, device]) => [id, structuredClone(device.keys)]),
      );
      if (master) reply['master_keys']![user] = master;
      if (self) reply['self_signing_keys']![user] = self;
      if (own && accountOf(user) === asker) reply['user_signing_keys']![user] = own;
      reply['device_revs']![user] = one.rev;
    }
    return { ...reply, failures: {} };
  }

  function claim(asked: Record<string, Record<string, string>>): Json {
    const claimed: Record<string, Record<string, Json>> = {};
    for (const [user, devices] of Object.entries(asked)) {
      const one = account(accountOf(user as MatrixUser));
      for (const device of Object.keys(devices)) {
        const pool = one.oneTime.get(device);
        const [first] = pool ?? [];
        const fallback = one.fallback.get(device);
        if (first !== undefined) pool?.delete(first[0]);
        else if (fallback !== undefined) fallback.isUsed = true;
        const [name, key] = first ?? (fallback && [fallback.name, fallback.key]) ?? [];
        if (name !== undefined) (claimed[user] ??= {})[device] = { [name]: key };
      }
    }
    return { one_time_keys: claimed, failures: {} };
  }

  function addSignatures(owner: AccountId, name: string, object: { signatures?: unknown }): void {
    const one = account(owner);
    const target =
      one.devices.get(name)?.keys ??
      Object.values(one.signing).find(
        (key) => Object.values(key.keys).includes(name) || Object.keys(key.keys).includes(name),
      );
    if (target === undefined) return;
    target.signatures ??= {};
    for (const [signer, signatures] of Object.entries(object.signatures ?? {})) {
      target.signatures[signer] = { ...target.signatures[signer], ...(signatures as Record<string, string>) };
    }
  }
}

function vaultOf(kind: vault.VaultKind): 'vault' | 'trust' {
  return kind === 'trust' ? 'trust' : 'vault';
}

function findBackup({ backups }: FakeAccount, version?: string): BackupState {
  const found = backups.findLast((one) => (version === undefined ? !one.isRetired : one.version === version));
  if (found === undefined) throw new AppError('not_found');
  return found;
}

function route<E extends Endpoint>(
  { path, body }: E,
  handle: (body: z.output<E['body']>) => Json,
): [string, (body: never) => Json] {
  return [path, (raw) => handle(body.parse(raw) as z.output<E['body']>)];
}
