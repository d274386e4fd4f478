type Cell = string | number;

/** Aligns columns; numbers are right-aligned. */
export function formatTable(rows: readonly (readonly Cell[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => formatCell(row[column]).length)),
  );
  return rows
    .map((row) => `  ${row.map((cell, column) => align(cell, widths[column]!)).join('  ')}`.trimEnd())
    .join('\n');
}

function align(cell: Cell, width: number): string {
  return typeof cell === 'number' ? formatCell(cell).padStart(width) : cell.padEnd(width);
}

function formatCell(cell: Cell | undefined): string {
  return typeof cell === 'number' ? cell.toLocaleString('en-US', { maximumFractionDigits: 3 }) : (cell ?? '');
}
