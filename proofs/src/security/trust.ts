// A server lies about identities, trust lists and messages: every lie is noticed on a screen or has no effect.
// Two people have three browsers each. With --without NAME one safeguard is left out, and its check must notice.
import { runProof } from '../harness/lib/run-proof.ts';
import { runChecks } from '../harness/checks/run-checks.ts';
import { CHECKS, VARIANTS } from './trust/checks.ts';

await runProof({
  name: 'trust',
  claim: 'a lie of the server is noticed or has no effect, and each check fails without its safeguard',
  variants: Object.keys(VARIANTS),
  run: (report, args) => runChecks({ name: 'trust', checks: CHECKS, variants: VARIANTS }, report, args),
});
