import { z } from 'zod';
import { listViews, PAGE_KINDS } from '../features/operations/page-views/service.ts';
import { define } from './command.ts';

const Days = z.coerce.number().int().min(1).max(400);
const WIDTH = 14;

export const pageViewCommands = [
  define({
    usage: 'visits [DAYS]',
    help: 'show page views per day and kind of page; visitors are not identified',
    args: z.tuple([Days]).or(z.tuple([]).transform((): [number] => [14])),
    async run(ctx, [days]) {
      const views = await listViews(ctx, days);
      const found = [...new Set(views.map(({ day }) => day))];
      const countOf = (day: string, kind: string): string =>
        String(views.find((each) => each.day === day && each.kind === kind)?.views ?? 0);
      const rows = found.map((day) => line([day, ...PAGE_KINDS.map((kind) => countOf(day, kind))]));
      return [line(['day', ...PAGE_KINDS]), ...rows].join('\n');
    },
  }),
];

function line(cells: string[]): string {
  return cells
    .map((cell) => cell.padEnd(WIDTH))
    .join('')
    .trimEnd();
}
