// Concurrent clients, crashing processes, lost hints and moving buckets do not break the mailbox guarantees.
// With --without NAME one safeguard is left out of the mailbox, and the claim is that the same test notices.
import { startEngines } from '../harness/lib/engines.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { proveIntact, proveDetected } from './mailbox/prove.ts';
import { VARIANT_NAMES } from './mailbox/variants.ts';
import type { Variant } from './mailbox/variants.ts';

const HISTORIES = 250;
const HISTORIES_SHORT = 25;
const SETTINGS = {
  // Below PostgreSQL's default of 1 s, so that a deadlock costs a tenth of a second here.
  deadlock_timeout: '100ms',
  // Processes die and connections break in this proof, but the database machine never loses power.
  fsync: 'off',
};

await runProof({
  name: 'mailbox',
  claim: 'under concurrent sends, retries and crashes both mailboxes keep every acknowledged message once and in order',
  variants: VARIANT_NAMES,
  async run(report, { isShort, isIntact, without, seed }) {
    await using engines = await startEngines({ name: 'mailbox', natsNodes: 0, settings: SETTINGS });
    report.figure('seed', String(seed));
    const shrinkMs = isShort ? 500 : 10_000;
    if (without !== undefined) {
      await proveDetected(engines, report, { variant: without as Variant, seed, shrinkMs });
      return;
    }
    await proveIntact(engines, report, { histories: isShort ? HISTORIES_SHORT : HISTORIES, seed });
    if (isIntact) return;
    for (const variant of VARIANT_NAMES) await proveDetected(engines, report, { variant, seed, shrinkMs });
  },
});
