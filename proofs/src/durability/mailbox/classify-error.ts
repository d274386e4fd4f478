import { AppError } from '@dostar/protocol/errors';
import { isDatabaseUnavailable } from '../../../../apps/server/src/platform/postgres/pools.ts';
import { SimulatedCrash } from './simulated-crash.ts';

export interface ClassifiedError {
  kind: 'died' | 'away' | 'blocked' | 'request_pending' | 'wrong';
  detail: string;
}

/** `wrong`: an error that no client may ever see. */
export function classify(error: unknown): ClassifiedError {
  const detail = describe(error);
  if (error instanceof SimulatedCrash) return { kind: 'died', detail };
  if (error instanceof AppError) {
    if (error.code === 'blocked' || error.code === 'request_pending') return { kind: error.code, detail };
    return { kind: error.code === 'unavailable' ? 'away' : 'wrong', detail };
  }
  return { kind: isDatabaseUnavailable(error) ? 'away' : 'wrong', detail };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as Error & { code?: string };
  const cause = error.cause === undefined ? '' : ` because of ${describe(error.cause)}`;
  return `${error.name} ${code ?? ''} ${error.message}${cause}`;
}
