/** Collects checks, which may fail: for a sabotaged server a failure is the expected result. */
import { formatTable } from '../../harness/lib/table.ts';
import type { Report } from '../../harness/lib/report.ts';

export class Checks {
  readonly failed = new Map<string, string[]>();
  readonly #made = new Map<string, number>();
  readonly #cells = new Map<string, Map<string, Set<number>>>();

  that(kind: string, holds: boolean, detail: () => string): void {
    this.#made.set(kind, (this.#made.get(kind) ?? 0) + 1);
    if (!holds) this.failed.set(kind, [...(this.failed.get(kind) ?? []), detail()]);
  }

  /** Notes how a call ended, for the table. */
  note(row: string, column: string, status: number): void {
    const cells = this.#cells.get(row) ?? new Map<string, Set<number>>();
    this.#cells.set(row, cells);
    cells.set(column, (cells.get(column) ?? new Set()).add(status));
  }

  tell(report: Report): void {
    for (const [kind, made] of this.#made) {
      const failed = this.failed.get(kind) ?? [];
      report.count(kind, made - failed.length);
      for (const detail of failed) report.check(kind, false, () => detail);
    }
  }

  formatTable(rows: { name: string; note: string }[], columns: string[]): string {
    const lines = rows.map(({ name, note }) => [
      name,
      note,
      ...columns.map((column) => [...(this.#cells.get(name)?.get(column) ?? [])].join('/') || '·'),
    ]);
    return formatTable([['', '', ...columns], ...lines]);
  }
}
