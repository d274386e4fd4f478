/** Amadeus, if the operator runs it. */
import { codeOf } from './finding.ts';
import type { Check, Finding, CheckInput } from './finding.ts';

const TIMEOUT_MS = 5_000;

export const assistantChecks: Check[] = [{ part: 'amadeus', run: checkAssistant }];

async function checkAssistant({ config: { AMADEUS_URL: url } }: CheckInput): Promise<Finding[]> {
  if (url === undefined) return [];
  try {
    const { ok } = await fetch(new URL('/readyz', url), {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (ok) return [];
    return [
      {
        problem: 'the assistant runs but has not read its mailbox yet',
        remedy: 'wait a minute; if nothing changes, read in its log what it waits for (journalctl -u dostar-amadeus)',
      },
    ];
  } catch (error) {
    const { cause } = error as Error;
    return [
      {
        problem: `the assistant does not answer at ${url} (${codeOf(cause ?? error)})`,
        remedy: 'start it (systemctl start dostar-amadeus), and read its log if it stops again',
      },
    ];
  }
}
