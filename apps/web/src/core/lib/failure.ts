import type { ErrorCode } from '@dostar/protocol/errors';

/** The protocol's code of a failure; undefined for what is not one of ours. */
export function codeOf(error: unknown): ErrorCode | undefined {
  // By name: the class itself would bring the whole client into the page.
  return error instanceof Error && error.name === 'AppError' ? (error as Error & { code: ErrorCode }).code : undefined;
}

/** The sign-up itself has begun; only its code did not go out. */
export function isCodeNotSent(error: unknown): boolean {
  return codeOf(error) !== undefined && 'isCodeNotSent' in (error as object);
}
