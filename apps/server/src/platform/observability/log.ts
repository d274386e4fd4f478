import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

export type Log = Logger;

/**
 * Lines say what happened to the server, never to whom: no account ids, addresses, tokens or bodies. The redaction below
 * catches an object that was logged whole by mistake.
 */
export function createLog(level: string, destination?: DestinationStream, roles: readonly string[] = []): Log {
  const options = {
    level,
    base: { pid: process.pid, ...(roles.length > 0 && { roles: roles.join(' ') }) },
    serializers: { err: describeError },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['headers', '*.headers', 'token', '*.token', 'body', '*.body', 'account', '*.account', 'owner', '*.owner'],
      remove: true,
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

interface LoggedError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  /** Of a database: what the error is about, without its values. */
  table?: string;
  constraint?: string;
  cause?: LoggedError;
}

/**
 * Known fields only: libraries put requests and rows into their errors. PostgreSQL quotes values in `detail` and in the
 * message itself, so a database error is logged by its code.
 */
function describeError(given: unknown): LoggedError | undefined {
  if (!(given instanceof Error)) return undefined;
  const { code, severity, table, constraint } = given as Error & Partial<Record<string, string>>;
  const message = severity === undefined ? given.message : `database error ${code}`;
  const frames = given.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  const cause = describeError(given.cause);
  return {
    type: given.constructor.name,
    message,
    ...(code !== undefined && { code }),
    ...(frames && { stack: frames.join('\n') }),
    ...(severity !== undefined && table !== undefined && { table }),
    ...(severity !== undefined && constraint !== undefined && { constraint }),
    ...(cause && { cause }),
  };
}
