import type { FullStorage } from '@dostar/protocol/contract/blobs';
import type { ErrorCode } from '@dostar/protocol/errors';

/** The error code of an AppError; undefined for other errors. */
export function codeOf(error: unknown): ErrorCode | undefined {
  // Compares the name, because importing the class would load the whole client into the page.
  return error instanceof Error && error.name === 'AppError' ? (error as Error & { code: ErrorCode }).code : undefined;
}

/** Whose storage is full, after `insufficient_storage`. */
export function fullStorageOf(error: unknown): FullStorage {
  const { details } = error as { details?: { full?: unknown } };
  return details?.full === 'server' ? 'server' : 'account';
}

/** The sign-up has begun, but its code could not be sent. */
export function isCodeNotSent(error: unknown): boolean {
  return codeOf(error) !== undefined && 'isCodeNotSent' in (error as object);
}
