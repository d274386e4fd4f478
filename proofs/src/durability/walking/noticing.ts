import type { Report } from '../../harness/lib/report.ts';
import type { Check } from './verify.ts';

interface Noticing {
  check: Check;
  /** At the end: what was left out must have been noticed. */
  conclude(): void;
}

/** With nothing left out the report has every check; else those that fail are what notices. */
export function openNoticing(report: Report, variant: string | undefined): Noticing {
  const noticed = new Map<string, number>();
  return {
    check(kind, holds, detail) {
      if (variant === undefined) report.check(kind, holds, detail);
      else if (!holds) noticed.set(kind, (noticed.get(kind) ?? 0) + 1);
    },
    conclude() {
      if (variant === undefined) return;
      for (const [kind, failed] of noticed) report.say(`  noticed  ${kind}: ${failed} times`);
      report.check(`without ${variant} something is noticed`, noticed.size > 0);
    },
  };
}
