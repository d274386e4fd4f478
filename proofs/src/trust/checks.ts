/** The lies of a server, and what must fall for each when the defence against it is taken away. */
import { checkSpy } from '../e2ee/check-devices.ts';
import { checkReplay } from '../e2ee/check-mail.ts';
import { VARIANTS as E2EE_VARIANTS } from '../e2ee/checks.ts';
import type { Change } from '../sabotage/change.ts';
import type { Trial } from '../trial/trial.ts';
import type { Variant } from '../trial/run-trials.ts';
import * as identities from './check-identities.ts';
import * as lists from './check-lists.ts';
import * as words from './check-words.ts';

export const CHECKS = {
  'other keys of a contact: old browsers seal nothing for them': identities.checkSwapOldBrowsers,
  'other keys of a contact: a new browser seals nothing for them': identities.checkSwapNewBrowser,
  'other keys of a verified contact: old and new browsers know that he was verified': identities.checkSwapVerified,
  'other keys than an invitation named: a new browser seals nothing for them': identities.checkInvite,
  'other keys between the check and the sealing get nothing': identities.checkSlipIn,
  'what other keys say is held, in all browsers, until it is accepted in one': identities.checkHeld,
  'keys that were others for a while have said nothing': identities.checkSwappedBack,
  'a device that the server adds reads nothing': checkSpy,
  'a trust list withheld from a new browser is noticed': lists.checkWithheld,
  'an older trust list in a new browser is noticed': lists.checkRolledBack,
  'an older trust list in an old browser has no effect': lists.checkRolledBackOldBrowser,
  'a message that its author did not erase stays': words.checkErasedByAuthor,
  'a message that its reader did not erase stays': words.checkErasedByReader,
  'a message told again in another chat stays in its own': words.checkMovedToChat,
  'a replayed message is refused': checkReplay,
} satisfies Record<string, (trial: Trial) => Promise<void>>;

const ERASURES: Change = {
  file: 'messages/erasures.ts',
  phrase: "if (isGenuine) genuine.push(row);\n    else log('erasure not genuine');",
  replacement: 'genuine.push(row);',
};

export const VARIANTS: Record<string, Variant<keyof typeof CHECKS>> = {
  'identity-block': {
    check: 'other keys of a contact: old browsers seal nothing for them',
    defences: { identityBlock: false },
  },
  'shared-trust': {
    check: 'other keys of a contact: a new browser seals nothing for them',
    defences: { sharedTrust: false },
  },
  'shared-verification': {
    check: 'other keys of a verified contact: old and new browsers know that he was verified',
    defences: { sharedTrust: false },
  },
  'shared-pins': {
    check: 'other keys than an invitation named: a new browser seals nothing for them',
    defences: { sharedTrust: false },
  },
  'one-step': {
    check: 'other keys between the check and the sealing get nothing',
    // Sealed for other devices than the server lists now, it would be refused and sealed again.
    defences: { oneStep: false, deviceRevisions: false },
  },
  'held-messages': {
    check: 'what other keys say is held, in all browsers, until it is accepted in one',
    defences: { heldMessages: false },
  },
  'held-afterwards': {
    check: 'keys that were others for a while have said nothing',
    defences: { heldMessages: false },
  },
  'signed-devices': {
    check: 'a device that the server adds reads nothing',
    defences: { signedDevicesOnly: false, heldMessages: false },
  },
  'trust-mark': { check: 'a trust list withheld from a new browser is noticed', defences: { trustMark: false } },
  'trust-mark-older': { check: 'an older trust list in a new browser is noticed', defences: { trustMark: false } },
  'trust-revision': {
    check: 'an older trust list in an old browser has no effect',
    client: [
      {
        file: 'trust/trust-store.ts',
        phrase: 'if (theirs !== undefined && !isOlder && isAfter(theirs, known)) await keep(theirs, []);',
        replacement: 'if (theirs !== undefined) await keep(theirs, []);',
      },
    ],
  },
  'erasure-author': {
    check: 'a message that its author did not erase stays',
    client: [
      {
        file: 'messages/receive.ts',
        phrase: 'if (entry.sender === account) await noteErasure(db, key, entry);',
        replacement: 'await noteErasure(db, key, entry);',
      },
      ERASURES,
    ],
  },
  'erasure-proof': {
    check: 'a message that its reader did not erase stays',
    client: [ERASURES],
  },
  'kept-chat': {
    check: 'a message told again in another chat stays in its own',
    client: [
      {
        file: 'messages/receive.ts',
        phrase: 'if (known !== undefined && known.chat !== entry.chat) continue;',
        replacement: '',
      },
    ],
  },
  'replay-check': { ...E2EE_VARIANTS['replay-check'], check: 'a replayed message is refused' },
};
