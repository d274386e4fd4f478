/** All checks of this proof, and for each safeguard the check that must fail without it. */
import { checkSpy } from '../e2ee/check-devices.ts';
import { checkReplay } from '../e2ee/check-messages.ts';
import { VARIANTS as E2EE_VARIANTS } from '../e2ee/checks.ts';
import type { Change } from '@dostar/client/testing/change';
import type { CheckRun } from '../../harness/checks/check-run.ts';
import type { Variant } from '../../harness/checks/run-checks.ts';
import * as identities from './check-identities.ts';
import * as lists from './check-lists.ts';
import * as words from './check-words.ts';

export const CHECKS = {
  'a swapped identity: present browsers encrypt nothing for it': identities.checkSwapOldBrowsers,
  'a swapped identity: a new browser encrypts nothing for it': identities.checkSwapNewBrowser,
  'a swapped identity of a verified contact: present and new browsers say that he was verified':
    identities.checkSwapVerified,
  'an identity that the invite did not name: a new browser encrypts nothing for it': identities.checkInvite,
  'an identity swapped between check and encryption gets no key': identities.checkSlipIn,
  'messages of a swapped identity are held in all browsers until one accepts it': identities.checkHeld,
  'messages of a swapped identity stay held after the genuine keys return': identities.checkSwappedBack,
  'a device that the server adds reads nothing': checkSpy,
  'a trust list withheld from a new browser is noticed': lists.checkWithheld,
  'an older trust list in a new browser is noticed': lists.checkRolledBack,
  'an older trust list in a present browser has no effect': lists.checkRolledBackOldBrowser,
  'a message that its author did not erase stays': words.checkErasedByAuthor,
  'a message that its reader did not erase stays': words.checkErasedByReader,
  'a message repeated in another chat stays in its own': words.checkMovedToChat,
  'a replayed message is refused': checkReplay,
} satisfies Record<string, (checkRun: CheckRun) => Promise<void>>;

const ERASURES: Change = {
  file: 'messages/receive/erasures.ts',
  phrase: "if (isGenuine) genuine.push(row);\n    else log('erasure not genuine');",
  replacement: 'genuine.push(row);',
};

export const VARIANTS: Record<string, Variant<keyof typeof CHECKS>> = {
  'identity-block': {
    check: 'a swapped identity: present browsers encrypt nothing for it',
    without: ['identityBlock'],
  },
  'shared-trust': {
    check: 'a swapped identity: a new browser encrypts nothing for it',
    without: ['sharedTrust'],
  },
  'shared-verification': {
    check: 'a swapped identity of a verified contact: present and new browsers say that he was verified',
    without: ['sharedTrust'],
  },
  'shared-pins': {
    check: 'an identity that the invite did not name: a new browser encrypts nothing for it',
    without: ['sharedTrust'],
  },
  'one-step': {
    check: 'an identity swapped between check and encryption gets no key',
    // The server refuses messages encrypted for outdated device lists, which would stop the attack as well.
    without: ['oneStep', 'deviceRevisions'],
  },
  'held-messages': {
    check: 'messages of a swapped identity are held in all browsers until one accepts it',
    without: ['heldMessages'],
  },
  'held-afterwards': {
    check: 'messages of a swapped identity stay held after the genuine keys return',
    without: ['heldMessages'],
  },
  'signed-devices': {
    check: 'a device that the server adds reads nothing',
    without: ['signedDevicesOnly', 'heldMessages'],
  },
  'trust-mark': { check: 'a trust list withheld from a new browser is noticed', without: ['trustMark'] },
  'trust-mark-older': { check: 'an older trust list in a new browser is noticed', without: ['trustMark'] },
  'trust-revision': {
    check: 'an older trust list in a present browser has no effect',
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
        file: 'messages/receive/receive.ts',
        phrase: 'if (entry.sender === account) await queueErasure(db, key, entry);',
        replacement: 'await queueErasure(db, key, entry);',
      },
      ERASURES,
    ],
  },
  'erasure-proof': {
    check: 'a message that its reader did not erase stays',
    client: [ERASURES],
  },
  'kept-chat': {
    check: 'a message repeated in another chat stays in its own',
    client: [
      {
        file: 'messages/receive/receive.ts',
        phrase: 'if (known !== undefined && known.chat !== entry.chat) continue;',
        replacement: '',
      },
    ],
  },
  'replay-check': { ...E2EE_VARIANTS['replay-check'], check: 'a replayed message is refused' },
};
