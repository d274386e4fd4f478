/** Commands for the operator's console, in which a browser shows and does what other commands do. */
import { z } from 'zod';
import { readConfig } from '../config.ts';
import {
  createConsoleLink,
  endConsoleSessions,
  LINK_LIFETIME_MS,
} from '../features/operations/console-sessions/service.ts';
import { define } from './command.ts';
import type { CommandContext } from './command.ts';

/** Not addresses that a browser can open. */
const EVERY_ADDRESS = ['0.0.0.0', '::'];

export const consoleCommands = [
  define({
    usage: 'console',
    help: "print a link that opens the operator's console in a browser, once and within 10 minutes",
    args: z.tuple([]),
    audit: 'words',
    async run(ctx, _args, { env, operator }) {
      const address = readConsoleAddress(env);
      const secret = await createConsoleLink(ctx, operator);
      return [
        `${address}/console/open#${secret}`,
        `valid once, for ${LINK_LIFETIME_MS / 60_000} minutes; from another machine forward the port first:`,
        `  ssh -L ${new URL(address).port}:${new URL(address).host} SERVER`,
      ].join('\n');
    },
  }),
  define({
    usage: 'console end',
    help: "end all sessions of the operator's console, and links that were not used yet",
    args: z.tuple([]),
    audit: 'words',
    run: async (ctx) => `${await endConsoleSessions(ctx)} sessions ended`,
  }),
];

function readConsoleAddress(env: CommandContext['env']): string {
  const { CONSOLE_HOST: host, CONSOLE_PORT: port, ROLES: roles } = readConfig(env);
  if (!roles.includes('console')) throw new Error('the console is off: add "console" to ROLES and restart the server');
  const scheme = (env['TLS_CERT'] ?? env['TLS_CERT_FILE']) === undefined ? 'http' : 'https';
  const name = EVERY_ADDRESS.includes(host) ? '127.0.0.1' : host;
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
