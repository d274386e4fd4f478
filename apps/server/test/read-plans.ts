/** Connections that report the plan of every statement they run, including statements inside functions. */
import { Kysely, PostgresDialect } from 'kysely';
import { Client, Pool } from 'pg';
import type { ShardDb } from '../src/platform/postgres/pools.ts';
import type { ShardTables } from '../src/platform/postgres/tables/tables.ts';

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

interface Cost {
  /** Rows read from tables, including those that a filter discarded. */
  rows: number;
  blocks: number;
  /** The plan node that read the most rows. */
  worst: string;
}

export interface PlanReader extends AsyncDisposable {
  /** A single connection, like that of a batch writer. */
  client: Client;
  pool: Pool;
  /** Uses `pool`, as most queries do. */
  db: ShardDb;
  measure(task: () => Promise<unknown>): Promise<Cost>;
}

export async function openPlanReader(url: string): Promise<PlanReader> {
  let plans: PlanNode[] = [];
  const options = Object.entries(SETTINGS)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const read = (message: string | undefined): void => {
    const json = /^duration: .*plan:\s*(\{.*\})\s*$/s.exec(message ?? '')?.[1];
    if (json !== undefined) plans.push((JSON.parse(json) as { Plan: PlanNode }).Plan);
  };
  const client = new Client({ connectionString: url, options });
  client.on('notice', ({ message }) => read(message));
  await client.connect();
  const pool = new Pool({ connectionString: url, options, max: 1 });
  pool.on('connect', (each) => {
    each.on('notice', ({ message }) => read(message));
    // `pool.end()` resolves before its sockets are closed, so dropping the database meanwhile causes errors on them.
    each.on('error', () => {});
  });
  const db = new Kysely<ShardTables>({ dialect: new PostgresDialect({ pool }) });
  return {
    client,
    pool,
    db,
    async measure(task) {
      plans = [];
      await task();
      return costOf(plans);
    },
    async [Symbol.asyncDispose]() {
      await client.end();
      await pool.end();
    },
  };
}

function costOf(plans: PlanNode[]): Cost {
  const scans = plans.flatMap(listNodes).filter((node) => node['Relation Name'] !== undefined && readsTable(node));
  const byRows = scans.toSorted((one, other) => rowsOf(other) - rowsOf(one));
  const [worst] = byRows;
  return {
    rows: scans.reduce((sum, node) => sum + rowsOf(node), 0),
    // The block count of a statement includes the functions that it calls.
    blocks: Math.max(0, ...plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])),
    worst: worst
      ? `${worst['Node Type']} of ${worst['Relation Name']} by ${worst['Index Name'] ?? 'nothing'}: ${rowsOf(worst)}`
      : '',
  };
}

function listNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)];
}

/** Nodes that insert or change rows do not read them. */
function readsTable(node: PlanNode): boolean {
  return node['Node Type'] !== 'ModifyTable';
}

function rowsOf(node: PlanNode): number {
  const discarded = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + discarded) * node['Actual Loops'];
}
