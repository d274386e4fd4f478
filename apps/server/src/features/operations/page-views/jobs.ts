import type { Context } from '../../../context.ts';
import { every } from '../../../platform/concurrency/run-periodically.ts';
import { forgetViews } from './service.ts';

const LOOK_EVERY_MS = 3_600_000;

export function pageViewJobs(ctx: Context): AsyncDisposable {
  return every(LOOK_EVERY_MS, ctx.log, 'forget old page views', () => forgetViews(ctx));
}
