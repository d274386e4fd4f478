/** Amadeus, where the operator has one. */
import { codeOf } from './finding.ts';
import type { Check, Finding, Patient } from './finding.ts';

const ANSWER_WITHIN_MS = 5_000;

export const assistantChecks: Check[] = [{ part: 'amadeus', look: lookAtAssistant }];

async function lookAtAssistant({ config: { AMADEUS_URL: url } }: Patient): Promise<Finding[]> {
  if (url === undefined) return [];
  try {
    const { ok } = await fetch(new URL('/readyz', url), {
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (ok) return [];
    return [
      {
        problem: 'the assistant runs and has not read its mailbox yet',
        remedy: 'wait a minute; if it stays so, its log says what it waits for (journalctl -u dostar-amadeus)',
      },
    ];
  } catch (error) {
    const { cause } = error as Error;
    return [
      {
        problem: `the assistant does not answer at ${url} (${codeOf(cause ?? error)})`,
        remedy: 'start it (systemctl start dostar-amadeus), and look at its log if it ends again',
      },
    ];
  }
}
