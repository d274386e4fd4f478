/**
 * Finds addresses of the configuration that would be used without TLS.
 *
 * A process that names one does not start, unless it is on this machine or the operator lists its host in
 * ALLOW_PLAINTEXT_TO: passwords, messages' metadata and codes would cross a network that others may read.
 */
import type { Config } from './config.ts';
import { isLoopback } from './platform/security/loopback.ts';
import type { Secrets } from './secrets.ts';

interface Connection {
  setting: string;
  host: string;
}

type Addresses = Pick<Secrets, 'smtpUrl' | 'textMessageUrl' | 'tls'>;

export function requireTls(config: Config, secrets: Addresses): void {
  rejectPlaintext(listPlaintext(config, secrets));
}

/** For a program that opens the databases and nothing else. */
export function requireDatabaseTls(config: Config): void {
  rejectPlaintext(describe(config, listDatabaseConnections(config)));
}

/** The settings and hosts that are refused; empty if there are none. Never whole addresses, which may contain passwords. */
export function listPlaintext(config: Config, secrets: Addresses): string {
  const connections = [...listDatabaseConnections(config), ...listConnections(config, secrets)];
  if (secrets.tls === undefined) connections.push(...listListeners(config));
  return describe(config, connections);
}

function listListeners({ HOST, CONSOLE_HOST, ROLES }: Config): Connection[] {
  const server = { setting: 'HOST', host: HOST };
  return ROLES.includes('console') ? [server, { setting: 'CONSOLE_HOST', host: CONSOLE_HOST }] : [server];
}

function describe({ ALLOW_PLAINTEXT_TO: allowed }: Config, connections: Connection[]): string {
  const open = connections.filter(({ host }) => !isLoopback(host) && !allowed.includes(host));
  return open.map(({ setting, host }) => `${setting} (${host})`).join(', ');
}

function rejectPlaintext(plaintext: string): void {
  if (plaintext === '') return;
  throw new Error(
    `without TLS, and not on this machine: ${plaintext}. Use TLS (docs/operate/configuration.md, "Connections without TLS"), or, ` +
      'for a network that no one else can read, name the host in ALLOW_PLAINTEXT_TO',
  );
}

function listDatabaseConnections(config: Config): Connection[] {
  const databases = [
    { setting: 'DIRECTORY_URL', url: config.DIRECTORY_URL },
    ...config.SHARD_URLS.map(({ url }) => ({ setting: 'SHARD_URLS', url })),
  ];
  return databases.flatMap(({ setting, url }) => {
    const host = databaseHost(new URL(url));
    return host === undefined ? [] : [{ setting, host }];
  });
}

/** Undefined for a Unix socket, and for TLS with a checked certificate. */
function databaseHost({ hostname, searchParams }: URL): string | undefined {
  const host = decodeURIComponent(searchParams.get('host') ?? hostname);
  if (host === '' || host.startsWith('/')) return undefined;
  // What the driver takes for TLS with a checked certificate; with `uselibpqcompat` some of them check none.
  const isChecked = ['require', 'verify-ca', 'verify-full'].includes(searchParams.get('sslmode') ?? '');
  return isChecked && !searchParams.has('uselibpqcompat') ? undefined : host;
}

function listConnections(config: Config, { smtpUrl, textMessageUrl }: Addresses): Connection[] {
  const calls = {
    S3_ENDPOINT: config.S3_ENDPOINT,
    OTLP_TRACES_URL: config.OTLP_TRACES_URL,
    TEXT_MESSAGE_URL: textMessageUrl,
    GOOGLE_ISSUER: config.GOOGLE_ISSUER,
    FCM_URL: config.FCM_URL,
    AMADEUS_URL: config.AMADEUS_URL,
  };
  const plain = Object.entries(calls).filter(([, url]) => url?.startsWith('http:'));
  const connections = plain.map(([setting, url]) => ({ setting, host: new URL(url!).hostname }));
  const mail = new URL(smtpUrl);
  const { searchParams: options } = mail;
  const isOpen = options.get('requireTLS') === 'false' || options.get('ignoreTLS') === 'true';
  if (mail.protocol === 'smtp:' && isOpen) connections.push({ setting: 'SMTP_URL', host: mail.hostname });
  const buses = config.NATS_URLS.filter((url) => !url.startsWith('tls://'));
  return [...connections, ...buses.map((url) => ({ setting: 'NATS_URLS', host: natsHost(url) }))];
}

/** `host`, `host:port`, or either behind a scheme. */
function natsHost(address: string): string {
  return new URL(`http://${address.replace(/^[a-z]+:\/\//, '')}`).hostname;
}
