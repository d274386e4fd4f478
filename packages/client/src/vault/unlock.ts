/**
 * Turns a device with the account key into one that can encrypt and decrypt.
 *
 * The first browser of an account makes identity, backup and dehydrated device and puts their secrets into the vault;
 * later browsers take them from there. The vault is written before anything is published: a browser that dies in
 * between leaves unused secrets, never an identity whose secrets are lost.
 */
import * as contract from '@dostar/protocol/contract/key-backup';
import { AppError } from '@dostar/protocol/errors';
import { toBase64 } from '../crypto/base64.ts';
import type { Engine } from '../crypto/engine/engine.ts';
import { type KeyMetadataStore, REPLACE_DEHYDRATED } from '../crypto/engine/key-metadata.ts';
import type { ClientDeps } from '../deps.ts';
import { adoptIdentity, type IdentityDeps, makeIdentity } from './identity.ts';
import { restoreVault } from './restore-vault.ts';
import { decodeSecrets, encodeSecrets, Secrets } from './secrets.ts';
import { nameAccountKey, readVault, type VaultDeps, writeVault } from './vault.ts';

const KEY_BYTES = 32;

export interface UnlockDeps extends IdentityDeps, VaultDeps, Pick<ClientDeps, 'log'> {
  keyMetadata: KeyMetadataStore;
}

/**
 * Undefined if this device's account key does not open the vault, or the server offers an older vault than the newest
 * one seen. Throws `reauthenticate` if the vault was overwritten and a session can restore it after re-authentication.
 */
export async function unlock(deps: UnlockDeps, accountKey: Uint8Array<ArrayBuffer>): Promise<Secrets | undefined> {
  let reading = await readVault(deps, 'secrets', accountKey);
  const isSameKey =
    ((await deps.keyMetadata.get('vaultKey')) ?? (await nameAccountKey(accountKey))) ===
    (await nameAccountKey(accountKey));
  const seen = isSameKey ? ((await deps.keyMetadata.get('vaultRev')) ?? 0) : 0;
  if (reading.rev < seen) {
    deps.log('vault rolled back', { seen, rev: reading.rev });
    return undefined;
  }
  if (reading.state === 'closed') {
    reading = await restoreVault(deps, 'secrets', accountKey, { rev: reading.rev, seen });
    deps.log('vault overwritten', { isRestored: reading.state === 'open' });
  }
  if (reading.state === 'closed') return undefined;
  // Another key than before means a fresh start: the new vault takes nothing from this device's former state.
  if (reading.state === 'empty') return makeSecrets(deps, accountKey, { rev: 0, isNew: !isSameKey });
  const secrets = decodeSecrets(reading.plain);
  if (secrets === undefined) return undefined;
  await adoptIdentity(deps, secrets);
  await noteSeen(deps, accountKey, reading.rev);
  return secrets;
}

/** From now on this browser refuses older revisions. */
async function noteSeen({ keyMetadata }: UnlockDeps, accountKey: Uint8Array<ArrayBuffer>, rev: number): Promise<void> {
  await keyMetadata.put('vaultKey', await nameAccountKey(accountKey));
  await keyMetadata.put('vaultRev', rev);
}

/**
 * Makes a new identity, backup and dehydrated device at once and replaces the old ones: for a person who has lost all
 * access to them. Contacts see that the identity changed.
 */
export async function startFresh(deps: UnlockDeps, accountKey: Uint8Array<ArrayBuffer>): Promise<Secrets> {
  const { rev } = await readVault(deps, 'secrets', accountKey);
  return makeSecrets(deps, accountKey, { rev, isNew: true });
}

/** Throws `stale_revision` if another browser was faster. */
async function makeSecrets(
  deps: UnlockDeps,
  accountKey: Uint8Array<ArrayBuffer>,
  { rev, isNew }: { rev: number; isNew: boolean },
): Promise<Secrets> {
  const { engine, requestSender, random } = deps;
  await requestSender.flushQueries();
  const { identity, publish } = await makeIdentity(deps, isNew);
  const version = await createBackup(deps);
  try {
    const secrets = Secrets.parse({
      v: 1,
      bundle: await exportBundle(engine),
      identity,
      backupMac: toBase64(random(KEY_BYTES)),
      dehydrated: toBase64(random(KEY_BYTES)),
    });
    await writeSecrets(deps, accountKey, rev, secrets);
    await deps.keyMetadata.put('madeVaultKey', await nameAccountKey(accountKey));
    // The dehydrated device on the server belongs to the former identity.
    await deps.keyMetadata.put('dehydratedAt', REPLACE_DEHYDRATED);
    await publish();
    await adoptIdentity(deps, secrets);
    return secrets;
  } catch (error) {
    if (error instanceof AppError && error.code === 'stale_revision')
      await deps.call(contract.deleteBackup, { version });
    throw error;
  }
}

/**
 * Keeps the identity and makes a new backup, to which this device uploads its keys again. If the former backup leaked
 * or has forged entries, the vault names it as `former`, so that its keys are moved to the new one.
 */
export async function replaceBackup(
  deps: UnlockDeps,
  accountKey: Uint8Array<ArrayBuffer>,
  { isForged }: { isForged: boolean } = { isForged: false },
): Promise<Secrets> {
  const { rev, secrets: before } = await readSecrets(deps, accountKey);
  await deps.engine.machine.disableBackup();
  await createBackup(deps);
  const { isLeaked = false, ...kept } = before;
  const { key, backup_version: version } = before.bundle.backup;
  const secrets: Secrets = {
    ...kept,
    ...(isLeaked && { dehydrated: toBase64(deps.random(KEY_BYTES)) }),
    ...((isLeaked || isForged) && { former: { version, key, mac: before.backupMac } }),
    bundle: Secrets.shape.bundle.parse(await exportBundle(deps.engine)),
    backupMac: toBase64(deps.random(KEY_BYTES)),
  };
  await writeSecrets(deps, accountKey, rev, secrets);
  return secrets;
}

/** Called once the backup in use has all keys of the former one. */
export async function forgetFormer(deps: UnlockDeps, accountKey: Uint8Array<ArrayBuffer>): Promise<Secrets> {
  const { rev, secrets } = await readSecrets(deps, accountKey);
  const { former, ...kept } = secrets;
  if (former !== undefined) await writeSecrets(deps, accountKey, rev, kept);
  return kept;
}

async function readSecrets(deps: UnlockDeps, accountKey: Uint8Array<ArrayBuffer>) {
  const reading = await readVault(deps, 'secrets', accountKey);
  const secrets = reading.state === 'open' ? decodeSecrets(reading.plain) : undefined;
  if (secrets === undefined) throw new AppError('unavailable');
  return { rev: reading.rev, secrets };
}

async function writeSecrets(
  deps: UnlockDeps,
  accountKey: Uint8Array<ArrayBuffer>,
  rev: number,
  secrets: Secrets,
): Promise<void> {
  const plain = encodeSecrets(secrets);
  await noteSeen(deps, accountKey, await writeVault(deps, 'secrets', accountKey, { rev, plain }));
}

async function createBackup({ engine, call }: UnlockDeps): Promise<string> {
  const { machine, library } = engine;
  using key = library.BackupDecryptionKey.createRandomKey();
  using publicKey = key.megolmV1PublicKey;
  const { algorithm, publicKeyBase64 } = publicKey;
  const data = { public_key: publicKeyBase64 };
  using signatures = await machine.sign(JSON.stringify(data));
  const auth = { ...data, signatures: JSON.parse(signatures.asJSON()) as unknown };
  const { version } = await call(contract.createBackup, { algorithm, auth_data: auth });
  await machine.saveBackupDecryptionKey(key, version);
  return version;
}

async function exportBundle({ machine }: Engine): Promise<unknown> {
  using bundle = await machine.exportSecretsBundle();
  return bundle.to_json();
}
