import type { KeyRing } from '@dostar/client';

/** As long as a genuine proof. */
function proofOf(id: string): string {
  return `${id}${'A'.repeat(43)}`.slice(0, 43);
}

/** Encrypts nothing, for tests and proofs of the mailbox alone. The product cannot decrypt it. */
export function openClearKeyRing(): KeyRing {
  return {
    openDevice: async () => undefined,
    receive: async () => {},
    onRenew: () => () => {},
    masterKeyOf: async () => undefined,
    startFresh: async () => {},
    isVaultOverwritten: async () => false,
    restoreVault: async () => {},
    onChange: () => () => {},
    listDevices: async () => [],
    listVerifications: async () => [],
    requestVerification: async () => '',
    acceptVerification: async () => {},
    startEmoji: async () => {},
    scanCode: async () => {},
    confirmVerification: async () => {},
    cancelVerification: async () => {},
    counts: async () => ({
      opened: 0,
      waiting: { key: 0, identity: 0, locked: 0 },
      refused: { malformed: 0, sender: 0 },
      missingKeys: 0,
      isSeeking: false,
      forged: 0,
    }),
    nudge: () => {},
    proveErasure: async ({ id }) => proofOf(id),
    isErasureGenuine: async ({ id }, proof) => proof === proofOf(id),
    seal: async ({ content }) => ({ body: content }),
    open: async ({ id, body }) => ({ state: 'open', content: body, trust: 'known', session: id, index: 0 }),
    sessionOf: () => undefined,
    dropChatKey: async () => {},
    refreshDevices: async () => {},
    onKeys: () => () => {},
    identityOf: async () => 'known',
    acceptIdentity: async () => {},
    pinIdentity: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
