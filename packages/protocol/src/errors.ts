interface Failure {
  status: number;
  /** Whether trying again helps: `later` after a pause, `after_*` once that has happened, `never` not at all. */
  retry: 'never' | 'later' | 'after_login' | 'after_key_refresh';
}

/** Every failure the two ends may name. A new line here is a protocol change. */
export const ERRORS = {
  invalid_request: { status: 400, retry: 'never' },
  unauthenticated: { status: 401, retry: 'after_login' },
  forbidden: { status: 403, retry: 'never' },
  not_found: { status: 404, retry: 'never' },
  unknown_account: { status: 404, retry: 'never' },
  /** Somebody's devices changed since the sender looked: ask for them again, seal again, same id (SPEC S6). */
  stale_devices: { status: 409, retry: 'after_key_refresh' },
  /** The recipient does not take mail from this sender. */
  blocked: { status: 403, retry: 'never' },
  /** A stranger may send one message until the recipient accepts (SPEC S7). */
  request_pending: { status: 403, retry: 'never' },
  /** Sign-up: the address belongs to an account. */
  email_taken: { status: 409, retry: 'never' },
  /** Sign-in: it belongs to none. */
  email_not_found: { status: 404, retry: 'never' },
  wrong_password: { status: 401, retry: 'never' },
  /** Says neither which of the two it was nor whether the account exists. */
  sign_in_failed: { status: 401, retry: 'never' },
  /** The account has no password: it signs in with Google. */
  use_google: { status: 409, retry: 'never' },
  /** This browser has no sign-up under way, or it took longer than a quarter of an hour. */
  no_sign_up: { status: 409, retry: 'never' },
  not_verified: { status: 409, retry: 'never' },
  wrong_code: { status: 400, retry: 'never' },
  expired_code: { status: 400, retry: 'never' },
  too_many_tries: { status: 429, retry: 'never' },
  /** A code was sent less than a minute ago. */
  too_soon: { status: 429, retry: 'later' },
  /** Too long since the person last proved who they are for something this serious. */
  reauthenticate: { status: 403, retry: 'after_login' },
  too_large: { status: 413, retry: 'never' },
  rate_limited: { status: 429, retry: 'later' },
  internal: { status: 500, retry: 'later' },
  /** A part of the system is away or full; nothing was decided. */
  unavailable: { status: 503, retry: 'later' },
} as const satisfies Record<string, Failure>;

export type ErrorCode = keyof typeof ERRORS;

/** An expected failure. Anything else that is thrown is a bug and reaches the other end as `internal`. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  /** Sent to the other end: never put secrets, plaintext or SQL in here. */
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, details?: Record<string, unknown>, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    this.details = details;
  }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value);
}
