// A server that lies about who people are, what an account knows of them and what was said, against two people with
// three browsers each: every lie is noticed on a screen or has no effect. With --without NAME one defence is taken away,
// and the claim is that its check notices.
import { runProof } from './lib/run-proof.ts';
import { runTrials } from './trial/run-trials.ts';
import { CHECKS, VARIANTS } from './trust/checks.ts';

await runProof({
  name: 'trust',
  claim: 'a lie of the server is noticed or has no effect, and without the defence against it each is missed',
  variants: Object.keys(VARIANTS),
  run: (report, args) => runTrials({ name: 'trust', checks: CHECKS, variants: VARIANTS }, report, args),
});
