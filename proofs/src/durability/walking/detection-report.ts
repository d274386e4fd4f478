import type { Report } from '../../harness/lib/report.ts';
import type { Check } from './verify.ts';

interface DetectionReport {
  check: Check;
  /** Called last: with a safeguard left out, at least one check must have failed. */
  conclude(): void;
}

/** Without a variant every check goes into the report. With one, failed checks show that it was noticed. */
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
