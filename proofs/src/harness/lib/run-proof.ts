import { readArguments } from './arguments.ts';
import type { Arguments } from './arguments.ts';
import { Report } from './report.ts';

interface Proof {
  name: string;
  claim: string;
  /** The variants that `--without` accepts. */
  variants?: readonly string[];
  run: (report: Report, args: Arguments) => Promise<void>;
}

/** Time for the engines to stop. */
const ENDS_WITHIN_MS = 30_000;

/** Runs a proof and always prints its closing line: an error counts as a failed claim. */
export async function runProof({ name, claim, variants, run }: Proof): Promise<void> {
  const args = readArguments(variants);
  const report = new Report(name, claim);
  const begun = performance.now();
  try {
    await run(report, args);
  } catch (error) {
    report.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  report.figure('seconds', Math.round((performance.now() - begun) / 100) / 10);
  report.finish();
  // A client that an error left open would keep this process alive, and CI would wait for it.
  setTimeout(() => process.exit(), ENDS_WITHIN_MS).unref();
}
