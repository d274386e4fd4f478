import { chooseParts, runTier } from './run-tier.ts';

/** Before a commit: everything that needs no browser and ends within three minutes. */
export async function check(): Promise<number> {
  const outcomes = await runTier('check', chooseParts('check'));
  return outcomes.some(({ failed }) => failed > 0) ? 1 : 0;
}
