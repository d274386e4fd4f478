import { productName } from '../../product.ts';
import type { Check, Outcome } from './check.ts';

interface ReportHead {
  path: string;
  build: string;
  agent: string;
  at: Date;
}

/** Plain text to paste into an email. Contains no names, no addresses and no messages. */
export function writeReport(
  { path, build, agent, at }: ReportHead,
  checks: readonly Check[],
  results: Record<string, Outcome>,
): string {
  const lines = checks.map(({ id }) => {
    const { state, detail, durationMs }: Outcome = results[id] ?? { state: 'waiting' };
    const facts = [detail, durationMs === undefined ? undefined : `${durationMs} ms`].filter(
      (fact) => fact !== undefined,
    );
    return `[${state}] ${id}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
  });
  return [`${productName} ${path}`, `build ${build}, ${at.toISOString()}`, agent, ...lines].join('\n');
}
