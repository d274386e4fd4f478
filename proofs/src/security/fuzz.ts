// No input of 1,000,000 makes the server fail, end, stall, leak or log what it was sent.
// With --without NAME one safeguard is left out of the server, and the claim is that this proof notices.
import { runSession } from './fuzz/session.ts';
import { NOTICING, VARIANT_NAMES, VARIANTS } from './fuzz/variants.ts';
import type { Arguments } from '../harness/lib/arguments.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { formatTable } from '../harness/lib/table.ts';

const FULL = { inputs: 1_000_000, isStallJudged: true, earlyBatches: 400 };
const SHORT = { inputs: 20_000, isStallJudged: false, earlyBatches: 60 };
const TO_NOTICE = { inputs: 2_400, isStallJudged: false, earlyBatches: 60, routes: NOTICING };

await runProof({
  name: 'fuzz',
  claim: 'no input makes the server fail, end, stall, leak or log what it was sent',
  variants: VARIANT_NAMES,
  async run(report, args) {
    report.say(`Seed ${args.seed}: --seed ${args.seed} sends the same inputs again.`);
    if (args.without === undefined) await proveIntact(report, args);
    if (args.isIntact) return;
    for (const name of args.without === undefined ? VARIANT_NAMES : [args.without]) {
      await proveDetected(report, args.seed, name);
    }
  },
});

async function proveIntact(report: Report, { isShort, seed, inputs }: Arguments): Promise<void> {
  const form = isShort ? SHORT : FULL;
  const { checks, tallies, figures, refusals } = await runSession({ ...form, inputs: inputs ?? form.inputs, seed });
  checks.tell(report);
  const rows = [...tallies].map(([route, tally]) => {
    return [route, tally.inputs, tally.reached, tally.medianMs, tally.describe()];
  });
  report.say(formatTable([['route', 'inputs', 'reached', 'CPU ms', 'answers'], ...rows]));
  report.figure('routes and frames', tallies.size);
  report.figure('routes without a successful valid input', refusals.size);
  for (const [name, value] of Object.entries(figures)) report.figure(name, value);
}

async function proveDetected(report: Report, seed: number, name: string): Promise<void> {
  const { what, changes, shows } = VARIANTS[name]!;
  const { checks } = await runSession({ ...TO_NOTICE, seed, changes });
  const [seen] = checks.failed.get(shows) ?? [];
  report.say(`without ${name} (${what}): ${seen?.slice(0, 300) ?? 'not noticed'}`);
  report.check('a server without the safeguard is noticed', seen !== undefined, () => name);
}
