interface Failure {
  status: number;
  /** When trying again helps: `later` after a pause, `after_*` after that event, `never` not at all. */
  retry: 'never' | 'later' | 'after_login' | 'after_key_refresh' | 'after_acceptance' | 'after_reload';
}

/** Every error code of the protocol. A new code is a protocol change. */
export const ERRORS = {
  invalid_request: { status: 400, retry: 'never' },
  unauthenticated: { status: 401, retry: 'after_login' },
  /** The cookie belongs to another account than the one the call names: another tab signed in to it. */
  wrong_account: { status: 403, retry: 'after_login' },
  forbidden: { status: 403, retry: 'never' },
  /** The caller's program is older than the server supports (SPEC V2). */
  outdated: { status: 426, retry: 'after_reload' },
  not_found: { status: 404, retry: 'never' },
  unknown_account: { status: 404, retry: 'never' },
  /** The recipient's devices changed since the sender queried them: query again, encrypt again, same id (SPEC S6). */
  stale_devices: { status: 409, retry: 'after_key_refresh' },
  /** A key of that name was uploaded with other content: this device's store was copied or rolled back (SPEC K2). */
  key_conflict: { status: 400, retry: 'never' },
  bad_signature: { status: 400, retry: 'never' },
  /** Not the current version of the key backup; `details.current_version` is the current one, if there is any. */
  wrong_backup_version: { status: 403, retry: 'never' },
  /** Another device has written since: read again, then write. */
  stale_revision: { status: 409, retry: 'never' },
  /** The id already belongs to another message (SPEC S2) or another file. */
  id_taken: { status: 409, retry: 'never' },
  /** The recipient's identity has changed: the client encrypts nothing for it until the user accepts it. */
  identity_changed: { status: 409, retry: 'after_acceptance' },
  /** The recipient has blocked the sender (SPEC S7). */
  blocked: { status: 403, retry: 'never' },
  /** A stranger may send one message until the recipient accepts (SPEC S7). */
  request_pending: { status: 403, retry: 'never' },
  /** The operator lets in only people with an invite of the operator. */
  sign_ups_closed: { status: 403, retry: 'never' },
  /** Sign-up: the operator lets in only people with an invite. */
  invite_required: { status: 403, retry: 'never' },
  /** Sign-up: the address is outside the operator's domains, or the invite is for another address. */
  email_not_allowed: { status: 403, retry: 'never' },
  /** Sign-up: the address belongs to an account. */
  email_taken: { status: 409, retry: 'never' },
  /** Sign-in: no account has the address. */
  email_not_found: { status: 404, retry: 'never' },
  /** An account has this name, or had it in the last ninety days. */
  username_taken: { status: 409, retry: 'never' },
  wrong_password: { status: 401, retry: 'never' },
  /** The email or the password is wrong: the answer reveals neither which, nor whether the account exists. */
  sign_in_failed: { status: 401, retry: 'never' },
  /** The operator has disabled the account. Answered only after the right credentials. */
  account_disabled: { status: 403, retry: 'never' },
  /** The account has no password: it signs in with Google. */
  use_google: { status: 409, retry: 'never' },
  /** This browser has no pending sign-up, or it took longer than a quarter of an hour. */
  no_sign_up: { status: 409, retry: 'never' },
  not_verified: { status: 409, retry: 'never' },
  wrong_code: { status: 400, retry: 'never' },
  expired_code: { status: 400, retry: 'never' },
  too_many_tries: { status: 429, retry: 'never' },
  /** A code was sent less than a minute ago. */
  too_soon: { status: 429, retry: 'later' },
  /** The call needs a re-authentication in the last ten minutes (SPEC H11). */
  reauthenticate: { status: 403, retry: 'after_login' },
  /** The link of an email was used already. */
  link_used: { status: 410, retry: 'never' },
  link_expired: { status: 410, retry: 'never' },
  /** The password was changed after the caller derived its key from it. */
  stale_password: { status: 409, retry: 'never' },
  /** The invite was used up, has expired, was withdrawn or never existed. */
  invite_gone: { status: 404, retry: 'never' },
  /** The account has reached a limit on a number of items. */
  too_many: { status: 409, retry: 'never' },
  /** The account's key backup has reached its limit. */
  quota_exceeded: { status: 403, retry: 'never' },
  /** No room for a file. `details.full` says whose storage is full: `account` or `server` (SPEC F8). */
  insufficient_storage: { status: 507, retry: 'never' },
  /** The chunk arrived incomplete or changed: send it again. */
  damaged_chunk: { status: 400, retry: 'later' },
  /** Not all chunks have arrived. */
  incomplete_blob: { status: 409, retry: 'never' },
  too_large: { status: 413, retry: 'never' },
  /** The first factor was right; the second is missing (SPEC H6). */
  factor_required: { status: 403, retry: 'after_login' },
  /** This authenticator code was used already: the next one works. */
  used_code: { status: 400, retry: 'never' },
  /** The account has a second factor of this kind already. */
  factor_exists: { status: 409, retry: 'never' },
  /** The passkey is unknown, or its answer came too late, came twice, or was for another challenge. */
  passkey_refused: { status: 401, retry: 'never' },
  too_many_passkeys: { status: 409, retry: 'never' },
  /** The last key that unlocks the account: without it the messages would be lost. */
  last_key: { status: 409, retry: 'never' },
  /** The operator does not offer this feature. */
  not_offered: { status: 409, retry: 'never' },
  rate_limited: { status: 429, retry: 'later' },
  internal: { status: 500, retry: 'later' },
  /** A part of the system is down or full, or the answer was lost: it is unknown whether the call took effect. */
  unavailable: { status: 503, retry: 'later' },
} as const satisfies Record<string, Failure>;

export type ErrorCode = keyof typeof ERRORS;

/** An expected failure. Any other exception is a bug and reaches the other end as `internal`. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  /** Sent to the other end, so never put secrets, plaintext or SQL in here. */
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
