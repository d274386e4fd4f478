import { CONFIG_SHAPE } from '../../config.ts';
import { SECRETS_SHAPE } from '../../secrets.ts';
import { replaceSections, wrapItem } from './sections.ts';

/** The first setting of each group, in the order of the schema. */
const GROUPS: Readonly<Record<string, string>> = {
  ROLES: 'Processes',
  DIRECTORY_URL: 'Databases',
  NATS_URLS: 'NATS',
  ALLOW_PLAINTEXT_TO: 'Connections and sessions',
  MAIL_FROM: 'Email and accounts',
  S3_ENDPOINT: 'Files',
  PUSH_HOSTS: 'Push',
  OPERATOR_FILE: 'Features',
  LOG_LEVEL: 'Logs, traces and metrics',
};

/** Defaults that depend on the machine, or that print as objects. */
const DEFAULTS: Readonly<Record<string, string>> = {
  DIRECTORY_URL: 'the development database',
  SHARD_URLS: 'the two development shards',
  ALLOW_PLAINTEXT_TO: 'none',
  MAIL_FROM: '`no-reply@localhost`',
  SIGN_UP_DOMAINS: 'all',
  BLOBS_DIR: '`.dev/blobs`',
  WEB_ROOT: 'the built web app beside the program',
};

interface Setting {
  description?: string | undefined;
  safeParse: (value: undefined) => { success: boolean; data?: unknown };
}

export function renderConfigurationPage(page: string): string {
  return replaceSections(page, { settings: listSettings(), secrets: listItems(SECRETS_SHAPE).join('\n') });
}

function listSettings(): string {
  const groups: { title: string; items: string[] }[] = [];
  const items = listItems(CONFIG_SHAPE);
  for (const [index, name] of Object.keys(CONFIG_SHAPE).entries()) {
    const title = GROUPS[name];
    if (title !== undefined) groups.push({ title, items: [] });
    groups.at(-1)!.items.push(items[index]!);
  }
  return groups.map(({ title, items: list }) => `### ${title}\n\n${list.join('\n')}`).join('\n\n');
}

function listItems(shape: Readonly<Record<string, Setting>>): string[] {
  return Object.entries(shape).map(([name, setting]) => {
    if (setting.description === undefined) throw new Error(`${name} has no description`);
    return wrapItem(`\`${name}\` (${describeDefault(name, setting)}): ${setting.description}`);
  });
}

function describeDefault(name: string, setting: Setting): string {
  const { success, data } = setting.safeParse(undefined);
  if (!success) return 'required';
  if (DEFAULTS[name] !== undefined) return `default: ${DEFAULTS[name]}`;
  if (data === undefined) return 'no default';
  return `default: ${[data]
    .flat()
    .map((one) => `\`${printDefault(name, one)}\``)
    .join(', ')}`;
}

function printDefault(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`the default of ${name} needs a text in DEFAULTS`);
}
