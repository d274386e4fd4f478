import { AppError } from '@dostar/protocol/errors';
import { checkVersion } from '@dostar/protocol/version';

/** During an upgrade a newer page may reach an older process: the page retries (SPEC V2). */
const UPGRADED_AFTER_MS = 5_000;

/** A caller that names no version, such as a third-party program, is accepted. */
export function requireSupportedVersion(named: string | string[] | undefined): void {
  if (named === undefined) return;
  switch (checkVersion(Number(named))) {
    case 'too_old':
      throw new AppError('outdated');
    case 'too_new':
      throw new AppError('unavailable', { retryAfterMs: UPGRADED_AFTER_MS });
    case 'supported':
  }
}
