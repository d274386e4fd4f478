interface Violation {
  kind: string;
  detail: string;
}

/** Counts checks by kind and keeps the failures. */
export class Checks {
  readonly counts = new Map<string, number>();
  readonly violations: Violation[] = [];

  that(kind: string, holds: boolean, detail: () => string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (!holds) this.violations.push({ kind, detail: detail() });
  }

  only(kinds: string[]): Violation[] {
    return this.violations.filter((violation) => kinds.includes(violation.kind));
  }
}

const SHOWN = 5;

export function describeViolations(violations: Violation[]): string {
  const shown = violations.slice(0, SHOWN).map(({ kind, detail }) => `  ${kind}: ${detail}`);
  const more = violations.length - shown.length;
  return [...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}
