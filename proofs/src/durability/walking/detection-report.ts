import type { Report } from '../../harness/lib/report.ts';
import type { Check } from './verify.ts';

interface DetectionReport {
  check: Check;
  /** At the end: what was left out must have been noticed. */
  conclude(): void;
}

/** With nothing left out the report has every check; else those that fail are what notices. */
export function openDetectionReport(report: Report, variant: string | undefined): DetectionReport {
  const detected = new Map<string, number>();
  return {
    check(kind, holds, detail) {
      if (variant === undefined) report.check(kind, holds, detail);
      else if (!holds) detected.set(kind, (detected.get(kind) ?? 0) + 1);
    },
    conclude() {
      if (variant === undefined) return;
      for (const [kind, failed] of detected) report.say(`  noticed  ${kind}: ${failed} times`);
      report.check(`without ${variant} something is noticed`, detected.size > 0);
    },
  };
}
