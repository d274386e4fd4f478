/**
 * The defences of the encrypted core, by name. All are on; only a proof takes one away, to show that its attack then
 * succeeds and the test of it is worth something.
 */
export interface Defences {
  /** Room keys go only to devices that their owner's identity has signed. */
  signedDevicesOnly: boolean;
  /** A message opens only if the account it is said to come from sealed it. */
  senderCheck: boolean;
  /** Entries of the backup that this account did not authenticate are dropped. */
  backupMac: boolean;
  /** A key out of the backup opens only mail of the account whose signed device is known to have sent it. */
  restoredOwner: boolean;
  /** Devices that are gone are asked about, when a key of theirs turns up. */
  formerDevices: boolean;
  /** Nothing is sealed for an identity that changed, until the person accepts. */
  identityBlock: boolean;
  /** A message is shown only if an identity that this account trusts has signed the device that sealed it. */
  heldMessages: boolean;
  /** What this account trusts is the same in all its browsers, a new one included. */
  sharedTrust: boolean;
  /** Sealed messages name the trust list that their browser knew. */
  trustMark: boolean;
  /** An identity is checked in the very step that shares the key. */
  oneStep: boolean;
  /** A message names the device lists it was sealed for, so one sealed for too few is refused. */
  deviceRevisions: boolean;
  /** One send at a time seals for a chat, and one claim of keys is under way at a time. */
  sealLocks: boolean;
  /** What could not be opened is tried again when its key comes. */
  lateKeys: boolean;
  /** A browser that lost its keys becomes a new device. */
  freshDevice: boolean;
  /** A device waits on the server while nobody is signed in. */
  dehydratedDevice: boolean;
  /** The backup that the vault names is the one in use, whatever the server calls current. */
  backupVersion: boolean;
}

export const ALL_DEFENCES: Defences = {
  signedDevicesOnly: true,
  senderCheck: true,
  backupMac: true,
  restoredOwner: true,
  formerDevices: true,
  identityBlock: true,
  heldMessages: true,
  sharedTrust: true,
  trustMark: true,
  oneStep: true,
  deviceRevisions: true,
  sealLocks: true,
  lateKeys: true,
  freshDevice: true,
  dehydratedDevice: true,
  backupVersion: true,
};
