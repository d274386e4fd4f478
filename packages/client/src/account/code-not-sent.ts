import { AppError } from '@dostar/protocol/errors';

/** The sign-up is under way, but its code could not be sent. */
export class CodeNotSent extends AppError {
  readonly isCodeNotSent = true;
}
