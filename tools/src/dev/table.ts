/** Columns padded to their widest cell. Escape codes for colour count as nothing. */
export function formatTable(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => measure(row[column] ?? ''))));
  const lines = rows.map((row) =>
    row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - measure(cell))).join('  '),
  );
  return lines.map((line) => `  ${line.trimEnd()}`).join('\n');
}

function measure(cell: string): number {
  // oxlint-disable-next-line no-control-regex -- the escape character is what a colour starts with
  return cell.replaceAll(/\u001B\[\d+m/g, '').length;
}

export function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
