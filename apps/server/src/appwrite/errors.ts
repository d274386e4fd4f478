/** Errors of `/v1`, by the types that the Appwrite SDKs know. */

const ERRORS = {
  general_argument_invalid: [400, 'The request contains one or more invalid arguments.'],
  general_bad_request: [400, 'There was an error processing your request. Please check the inputs and try again.'],
  general_query_invalid: [400, "The query's syntax is invalid."],
  general_cursor_not_found: [
    400,
    'The cursor is invalid. This can happen if the item represented by the cursor has been deleted.',
  ],
  general_unauthorized_scope: [401, 'The current user or API key does not have the required scopes.'],
  general_unknown_origin: [403, 'Invalid Origin. Register your new client as a new platform.'],
  general_route_not_found: [404, 'The requested route was not found.'],
  general_rate_limit_exceeded: [
    429,
    'Rate limit for the current endpoint has been exceeded. Please try again after some time.',
  ],
  general_request_timeout: [408, 'The request came too slowly.'],
  general_server_error: [500, 'Server Error'],
  general_phone_disabled: [503, 'Text messages are not sent from here.'],
  general_service_unavailable: [503, 'The service is not available for the moment. Please try again later.'],
  attribute_limit_exceeded: [400, 'The attribute would pass the limit that was given.'],
  attribute_not_found: [404, 'Attribute with the requested ID could not be found.'],
  attribute_type_invalid: [400, 'The attribute is no number.'],
  collection_not_found: [404, 'Collection with the requested ID could not be found.'],
  database_not_found: [404, 'Database not found.'],
  database_timeout: [408, 'The database took too long. Try to ask for less.'],
  document_already_exists: [409, 'Document with the requested ID already exists.'],
  document_invalid_structure: [400, 'Invalid document structure'],
  document_missing_data: [400, 'The document data is missing.'],
  document_missing_payload: [400, 'The document data and permissions are missing.'],
  document_not_found: [404, 'Document with the requested ID could not be found.'],
  transaction_not_found: [404, 'Transaction with the requested ID could not be found.'],
  database_query_order_null: [400, 'The order attribute had a null value at the cursor.'],
  project_provider_disabled: [412, 'The chosen OAuth provider is disabled.'],
  project_not_found: [404, 'Project with the requested ID could not be found.'],
  user_already_exists: [409, 'A user with the same id, email, or phone already exists in this project.'],
  user_api_key_and_session_set: [403, 'API key and session used in same request. Use one of them.'],
  user_authenticator_already_verified: [409, 'This authenticator is already verified on the current account.'],
  user_authenticator_not_found: [404, 'Authenticator could not be found on the current account.'],
  user_auth_method_unsupported: [501, 'The requested authentication method is not available in this project.'],
  user_blocked: [403, 'The current user has been blocked.'],
  user_challenge_required: [401, 'A recently successful challenge is required to complete this action.'],
  user_email_already_verified: [409, 'The user email is already verified.'],
  user_email_not_whitelisted: [401, 'Accounts are restricted to specific email addresses. Contact your administrator.'],
  user_email_not_verified: [400, 'The user email is not verified.'],
  user_invalid_credentials: [401, 'Invalid credentials. Please check the email and password.'],
  user_invalid_token: [401, 'Invalid token passed in the request.'],
  user_jwt_and_cookie_set: [403, 'A JWT and a session were used in the same request. Use one of them.'],
  user_jwt_creation_denied: [403, 'A JWT can not be made by means of a JWT.'],
  user_jwt_invalid: [401, 'The JWT token is invalid. Please check the value of the X-Appwrite-JWT header.'],
  user_more_factors_required: [401, 'More factors are required to complete the sign in process.'],
  user_not_found: [404, 'User with the requested ID could not be found.'],
  user_oauth2_provider_error: [424, 'The OAuth2 provider returned some error.'],
  user_oauth2_unauthorized: [401, 'The OAuth2 provider does not vouch for the address.'],
  user_recovery_codes_already_exists: [409, 'The current user already generated recovery codes.'],
  user_recovery_codes_not_found: [404, 'The current user did not generate recovery codes.'],
  user_session_already_exists: [401, 'Creation of a session is prohibited when a session is active.'],
  user_session_not_found: [404, 'The current user session could not be found.'],
  user_target_already_exists: [409, 'A target with the same ID already exists.'],
  user_target_not_found: [404, 'The target could not be found.'],
  user_unauthorized: [401, 'The current user is not authorized to perform the requested action.'],
  storage_bucket_not_found: [404, 'Storage bucket with the requested ID could not be found.'],
  storage_bucket_transformations_disabled: [403, 'Image transformations are disabled for the requested bucket.'],
  storage_file_already_exists: [409, 'A storage file with the requested ID already exists.'],
  storage_file_empty: [400, 'Empty file passed to the endpoint.'],
  storage_file_not_found: [404, 'The requested file could not be found.'],
  storage_file_type_unsupported: [400, 'The given file extension is not supported.'],
  storage_image_resolution_exceeded: [400, 'The image has too many pixels.'],
  storage_invalid_appwrite_id: [400, 'The value for x-appwrite-id header is invalid.'],
  storage_invalid_content_range: [
    400,
    'The content range is invalid. Please check the value of the Content-Range header.',
  ],
  storage_invalid_file_size: [400, 'The file size is either not valid or exceeds the maximum allowed size.'],
  storage_invalid_range: [416, 'The requested range is not satisfiable.'],
  subscriber_already_exists: [409, 'Subscriber with the requested ID already exists.'],
  subscriber_not_found: [404, 'Subscriber with the requested ID could not be found.'],
  topic_not_found: [404, 'Topic with the requested ID could not be found.'],
  storage_quota_exceeded: [403, 'There is no room left for this file.'],
  storage_server_full: [507, 'The server has no room left for files. Please try again later.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type AppwriteErrorType = keyof typeof ERRORS;

export class AppwriteError extends Error {
  override name = 'AppwriteError';
  readonly type: AppwriteErrorType;

  constructor(type: AppwriteErrorType, message?: string, options?: ErrorOptions) {
    super(message ?? ERRORS[type][1], options);
    this.type = type;
  }

  get status(): number {
    return ERRORS[this.type][0];
  }
}
