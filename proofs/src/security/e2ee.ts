// The encrypted core does what its specification says, with real servers and headless clients; each safeguard matters.
// With --without NAME one safeguard is left out, and the claim is that its check notices.
import { CHECKS, VARIANTS } from './e2ee/checks.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { runChecks } from '../harness/checks/run-checks.ts';

await runProof({
  name: 'e2ee',
  claim: 'the encrypted core does what its specification says, and each check fails without its safeguard',
  variants: Object.keys(VARIANTS),
  run: (report, args) => runChecks({ name: 'e2ee', checks: CHECKS, variants: VARIANTS }, report, args),
});
