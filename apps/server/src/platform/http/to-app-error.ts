import { AppError } from '@dostar/protocol/errors';
import { ZodError } from 'zod';
import { UploadTooSlowError } from '../storage/upload-slots.ts';

/** The error that a caller is told; `internal` for an unexpected one. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ZodError) {
    // The path of the wrong field, never its value.
    return new AppError('invalid_request', { fields: error.issues.map((issue) => issue.path.join('.')) });
  }
  if (error instanceof UploadTooSlowError) return new AppError('damaged_chunk');
  const status = (error as { statusCode?: number }).statusCode;
  if (status === 413) return new AppError('too_large');
  if (status !== undefined && status >= 400 && status < 500) return new AppError('invalid_request');
  return new AppError('internal', undefined, { cause: error });
}
