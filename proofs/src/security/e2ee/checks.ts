/** All checks of this proof, and for each safeguard the check that must fail without it. */
import type { Change } from '@dostar/client/testing/change';
import type { Variant } from '../../harness/checks/run-checks.ts';
import * as backup from './check-backup.ts';
import * as browsers from './check-browsers.ts';
import * as devices from './check-devices.ts';
import * as fresh from './check-fresh.ts';
import * as messages from './check-messages.ts';
import * as secrets from './check-secrets.ts';
import type { CheckRun } from '../../harness/checks/check-run.ts';

export const CHECKS = {
  'a replayed message is refused': messages.checkReplay,
  'a renamed message is refused': messages.checkRenamed,
  'a message from a swapped sender is refused': messages.checkSenderSwap,
  'only its author edits and deletes a message': messages.checkAuthors,
  'an injected device reads nothing': devices.checkSpy,
  'an injected device sends nothing': devices.checkForger,
  'an injected device does not come back by the backup': devices.checkForgerInBackup,
  'a message encrypted for too few devices is encrypted again': devices.checkStaleDevices,
  'an identity reset blocks sending until it is accepted': devices.checkIdentityReset,
  'two users with three devices each read every message on all of them': devices.checkThreeEach,
  'first messages at once share one key': devices.checkSealLocks,
  'a stranger sees no keys': devices.checkStranger,
  'a device ends with its session': devices.checkEndedDevice,
  'of two tabs one has the engine': browsers.checkTwoTabs,
  'a crash between upload and store leaves the same device': browsers.checkCrash,
  'a wiped browser becomes a new device and reads all': browsers.checkWiped,
  'late keys decrypt waiting messages': browsers.checkLateKeys,
  'lost keys are sent again': browsers.checkLostFrame,
  'messages sent while all browsers were signed out are read': browsers.checkSignedOut,
  'messages of a deleted device are read': browsers.checkGoneSender,
  'used-up keys are replaced by the fallback key': browsers.checkExhaustion,
  'a new browser reads the history': backup.checkHistory,
  'a foreign backup is not used': backup.checkForeignBackup,
  'a forged backup entry is dropped': backup.checkForgedBackup,
  'an older vault is not opened': backup.checkRolledBack,
  'wraps, vault and backup wait for the second factor': secrets.checkSecondFactor,
  'a changed password opens everything, the old one nothing': secrets.checkPasswordChange,
  'a leaked password opens nothing once it is changed': secrets.checkLeak,
  'after a reset by email only the recovery key opens the account': secrets.checkReset,
  'after a reset by email the old password still unlocks': secrets.checkOldPassword,
  'a fresh start reads and writes, with a new identity to contacts': fresh.checkFreshStart,
  'a fresh start of a thief is undone': fresh.checkBroughtBack,
} satisfies Record<string, (checkRun: CheckRun) => Promise<void>>;

const NAMES: Change[] = [
  withOwnNames('messages/receive/decrypt-row.ts', 'decodeContent(row, opened.content)', 'opened.content'),
  withOwnNames('messages/timeline/view.ts', 'decodeContent(row, bytes)', 'bytes'),
];
const REPLAYS: Change = {
  file: 'messages/receive/store-decrypted.ts',
  phrase: 'const rows = await refuseReplays(db, fresh);',
  replacement: 'const rows = fresh;',
};
const NO_UPLOAD: Change = {
  file: 'crypto/engine/key-maintenance.ts',
  phrase: 'await backup.upload();',
  replacement: '',
};

/** If a second safeguard would catch the same attack, both are left out. */
export const VARIANTS: Record<string, Variant<keyof typeof CHECKS>> = {
  'replay-check': { check: 'a replayed message is refused', client: [...NAMES, REPLAYS] },
  'bound-names': { check: 'a renamed message is refused', client: NAMES },
  'sender-check': {
    check: 'a message from a swapped sender is refused',
    without: ['senderCheck', 'heldMessages'],
    client: NAMES,
  },
  'author-check': {
    check: 'only its author edits and deletes a message',
    client: [
      { file: 'messages/timeline/fold.ts', phrase: 'sender === author', replacement: 'true' },
      {
        file: 'messages/maintenance/erase-row.ts',
        phrase: "kind === 'delete' && target?.startsWith(`${sender}/`)",
        replacement: "kind === 'delete'",
      },
    ],
  },
  'signed-devices': {
    check: 'an injected device reads nothing',
    without: ['signedDevicesOnly', 'heldMessages'],
  },
  'signed-senders': {
    check: 'an injected device sends nothing',
    without: ['senderCheck', 'heldMessages'],
  },
  'device-revisions': {
    check: 'a message encrypted for too few devices is encrypted again',
    without: ['deviceRevisions'],
  },
  'stale-devices': {
    check: 'a message encrypted for too few devices is encrypted again',
    server: [
      { file: 'features/messaging/mailbox/send-message.ts', phrase: ', ...(devices && { devices })', replacement: '' },
    ],
  },
  'identity-block': {
    check: 'an identity reset blocks sending until it is accepted',
    without: ['identityBlock'],
  },
  'own-devices': {
    check: 'two users with three devices each read every message on all of them',
    client: [
      NO_UPLOAD,
      {
        file: 'crypto/sealing/seal.ts',
        phrase: 'members: [engine.account, to]',
        replacement: 'members: [to]',
      },
    ],
  },
  'restored-owner': {
    check: 'an injected device does not come back by the backup',
    without: ['restoredOwner'],
  },
  'seal-locks': { check: 'first messages at once share one key', without: ['sealLocks'] },
  'contacts-only': {
    check: 'a stranger sees no keys',
    server: [
      {
        file: 'features/encryption/device-keys/service.ts',
        phrase: 'const visible = await listReachable(ctx, from, asked);',
        replacement: 'const visible = asked;',
      },
    ],
  },
  'device-end': {
    check: 'a device ends with its session',
    server: [
      {
        file: 'features/encryption/device-keys/service.ts',
        phrase: 'await deleteDeviceKeys(db, owner, device);',
        replacement: '',
      },
    ],
  },
  'one-leader': { check: 'of two tabs one has the engine', isWithoutLocks: true },
  'repeated-upload': {
    check: 'a crash between upload and store leaves the same device',
    server: [
      {
        file: 'features/encryption/device-keys/device-keys.ts',
        phrase: '(known.get(idOf(key)) ?? key.key) !== key.key',
        replacement: 'known.has(idOf(key))',
      },
    ],
  },
  'fresh-device': {
    check: 'a wiped browser becomes a new device and reads all',
    without: ['freshDevice'],
  },
  'late-keys': { check: 'late keys decrypt waiting messages', without: ['lateKeys'] },
  'deleted-after-ack': {
    check: 'lost keys are sent again',
    server: [
      {
        file: 'features/encryption/to-device/service.ts',
        phrase: '    return pending;\n',
        replacement: '    await deleteDelivered(ctx, owner, device, pending.upTo);\n    return pending;\n',
      },
    ],
  },
  'waiting-device': {
    check: 'messages sent while all browsers were signed out are read',
    without: ['dehydratedDevice'],
  },
  'former-devices': {
    check: 'messages of a deleted device are read',
    without: ['formerDevices'],
  },
  'fallback-key': {
    check: 'used-up keys are replaced by the fallback key',
    server: [
      {
        file: 'features/encryption/device-keys/store.ts',
        phrase: 'select device, algorithm, name, key, true from fallback',
        replacement: 'select device, algorithm, name, key, true from fallback where false',
      },
    ],
  },
  'key-backup': { check: 'a new browser reads the history', client: [NO_UPLOAD] },
  'backup-version': { check: 'a foreign backup is not used', without: ['backupVersion'] },
  'backup-mac': { check: 'a forged backup entry is dropped', without: ['backupMac'] },
  'vault-revision': {
    check: 'an older vault is not opened',
    client: [{ file: 'vault/unlock.ts', phrase: 'if (reading.rev < seen) {', replacement: 'if (reading.rev < 0) {' }],
  },
  'factor-check': {
    check: 'wraps, vault and backup wait for the second factor',
    server: [
      {
        file: 'platform/http/caller.ts',
        phrase: "if (caller.isPending) throw new AppError('factor_required');",
        replacement: '',
      },
    ],
  },
  'wrap-with-record': {
    check: 'a changed password opens everything, the old one nothing',
    server: [
      {
        file: 'features/identity/passwords/store.ts',
        phrase: 'await lockWraps(db, owner);\n  await db',
        replacement:
          "await lockWraps(db, owner);\n  if ((await listWraps(db, owner)).some(({ method }) => method === 'password')) return;\n  await db",
      },
    ],
  },
  'old-wraps': {
    check: 'a leaked password opens nothing once it is changed',
    server: [
      {
        file: 'features/identity/use-cases/change-password.ts',
        phrase: 'if (renewal) await retireAccountKey(db, account, isRestricted, now);',
        replacement: '',
      },
    ],
  },
  'recovery-wrap': {
    check: 'after a reset by email only the recovery key opens the account',
    server: [
      {
        file: 'features/identity/passwords/reset-store.ts',
        phrase:
          ".set({ state: to.wrap, until })\n    .where('owner', '=', owner)\n    .where('method', '=', 'password')\n",
        replacement: ".set({ state: to.wrap, until })\n    .where('owner', '=', owner)\n",
      },
    ],
  },
  'empty-vault': {
    check: 'a fresh start reads and writes, with a new identity to contacts',
    server: [
      {
        file: 'features/encryption/vault/store.ts',
        phrase: "await db.deleteFrom('vault').where('owner', '=', owner).execute();",
        replacement: '',
      },
    ],
  },
  'put-away': {
    check: 'a fresh start of a thief is undone',
    server: [
      {
        file: 'features/identity/use-cases/account-key-archive.ts',
        phrase: 'const listRevision = (await restoreDehydratedDevice(ctx, db, owner)) ?? identity;',
        replacement: 'const listRevision = identity;',
      },
    ],
  },
  'kept-record': {
    check: 'after a reset by email the old password still unlocks',
    server: [
      {
        file: 'features/identity/passwords/reset-store.ts',
        phrase: 'if (hasPreviousPassword || !wrap) {',
        replacement: 'if (wrap) {',
      },
    ],
  },
};

/** Replaces decoding by one that trusts the ids inside the plaintext. */
function withOwnNames(file: string, phrase: string, bytes: string): Change {
  return { file, phrase, replacement: `decodeContent(JSON.parse(new TextDecoder().decode(${bytes})), ${bytes})` };
}
