import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

export type Log = Logger;

/**
 * Lines say what happened to the machine, never to whom: no ids of persons, addresses, tokens or bodies. The redaction
 * below is the last net for an object that was logged whole by mistake.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['headers', '*.headers', 'token', '*.token', 'body', '*.body', 'account', '*.account', 'owner', '*.owner'],
      remove: true,
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
