import { chooseParts, runTier } from './run-tier.ts';

/** Checks to run before a commit: everything that needs no browser, within three minutes. */
export async function check(): Promise<number> {
  const outcomes = await runTier('check', chooseParts('check'));
  return outcomes.some(({ failed }) => failed > 0) ? 1 : 0;
}
