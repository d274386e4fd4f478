/**
 * Evaluates alerts with promtool on the real metrics of a server.
 *
 * Uses two pages of `/metrics`, from before and after an event. Counters continue at the pace between both for an hour
 * and a half, one page every 15 seconds; gauges keep the last value.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unpackDebian } from '@dostar/tools/servers';

const run = promisify(execFile);
const PAGES = 360;
const SINCE_1970 = 'dostar_certificate_expiry_timestamp_seconds';

export const RULES = fileURLToPath(new URL('../../../deploy/monitoring/alerts.yml', import.meta.url));

/** Debian's Prometheus, without its daemon. */
export function findPromtool(): Promise<string> {
  return unpackDebian({ name: 'prometheus', suite: 'bookworm', package: 'prometheus', file: 'usr/bin/promtool' });
}

export interface Page {
  values: Map<string, number>;
  counters: Set<string>;
}

export function readPage(text: string): Page {
  const page: Page = { values: new Map(), counters: new Set() };
  for (const line of text.split('\n')) {
    const [, typed, type] = /^# TYPE (dostar_\w+) (\w+)$/.exec(line) ?? [];
    if (typed !== undefined && type !== 'gauge') page.counters.add(typed);
    const [, series, value] = /^(dostar_\w+(?:\{.*\})?) ([\d.e+-]+)$/.exec(line) ?? [];
    if (series !== undefined) page.values.set(series, Number(value));
  }
  return page;
}

/** Series for promtool's tests. Its clock begins in 1970, so timestamps are made relative to now. */
export function continueSeries(before: Page, after: Page, now = Date.now()): [string, string][] {
  return [...after.values].map(([series, value]) => {
    const name = /^\w+/.exec(series)![0];
    const isCounter = after.counters.has(name) || after.counters.has(name.replace(/_(bucket|sum|count)$/, ''));
    if (!isCounter) return [series, `${name === SINCE_1970 ? value - now / 1_000 : value}x${PAGES}`];
    const start = before.values.get(series) ?? 0;
    return [series, `${start}+${value - start}x${PAGES}`];
  });
}

/** Names of the alerts that fire at the end. */
export async function listFiring(series: [string, string][], alerts: string[]): Promise<string[]> {
  const promtool = await findPromtool();
  const folder = await mkdtemp(join(tmpdir(), 'alerting-'));
  try {
    const ringing = await Promise.all(
      alerts.map(async (alert) => {
        const file = join(folder, `${alert}.json`);
        // JSON is YAML.
        await writeFile(file, JSON.stringify(describeTest(series, alert)));
        return run(promtool, ['test', 'rules', file]).then(
          () => alert,
          () => undefined,
        );
      }),
    );
    return ringing.filter((alert) => alert !== undefined);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function describeTest(series: [string, string][], alert: string) {
  const expr = `clamp_max(count(ALERTS{alertname="${alert}",alertstate="firing"}), 1)`;
  return {
    rule_files: [RULES],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '15s',
        input_series: series.map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [{ expr, eval_time: '85m', exp_samples: [{ labels: '{}', value: 1 }] }],
      },
    ],
  };
}
