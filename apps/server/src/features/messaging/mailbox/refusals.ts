import type { Appended } from './store.ts';

/** Verdicts of an append that refuse it, which are codes of `errors.ts`. */
const REFUSALS = ['id_taken', 'stale_devices', 'blocked', 'request_pending'] as const;
type Refusal = (typeof REFUSALS)[number];

export function isRefusal(verdict: Appended['verdict']): verdict is Refusal {
  return (REFUSALS as readonly string[]).includes(verdict);
}
