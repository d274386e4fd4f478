/** Responses of `/v1`, for the API reference. Tests compare real responses with these. */
import { z } from 'zod';

/** `2026-08-01T12:00:00.000+00:00` */
const Time = z.string().meta({ format: 'date-time' });
const created = { $id: z.string(), $createdAt: Time };
const changed = { ...created, $updatedAt: Time };

export const Pong = z.object({ pong: z.literal(true) });

export const Target = z.object({
  ...changed,
  name: z.string(),
  userId: z.string(),
  providerId: z.string().nullable(),
  providerType: z.enum(['email', 'push']),
  identifier: z.string(),
  expired: z.boolean(),
});

export const Preferences = z.record(z.string(), z.unknown());

export const User = z.object({
  ...changed,
  name: z.string(),
  registration: Time,
  /** False once blocked. */
  status: z.boolean(),
  labels: z.array(z.string()),
  passwordUpdate: z.string(),
  email: z.string(),
  phone: z.string(),
  emailVerification: z.boolean(),
  phoneVerification: z.boolean(),
  mfa: z.boolean(),
  prefs: Preferences,
  targets: z.array(Target),
  accessedAt: Time,
});

/** Members that the server does not know, such as `ip`, are empty strings. */
export const Session = z.object({
  ...changed,
  userId: z.string(),
  expire: Time,
  provider: z.string(),
  providerUid: z.string(),
  providerAccessToken: z.string(),
  providerAccessTokenExpiry: z.string(),
  providerRefreshToken: z.string(),
  ip: z.string(),
  osCode: z.string(),
  osName: z.string(),
  osVersion: z.string(),
  clientType: z.string(),
  clientCode: z.string(),
  clientName: z.string(),
  clientVersion: z.string(),
  clientEngine: z.string(),
  clientEngineVersion: z.string(),
  deviceName: z.string(),
  deviceBrand: z.string(),
  deviceModel: z.string(),
  countryCode: z.string(),
  countryName: z.string(),
  current: z.boolean(),
  factors: z.array(z.string()),
  secret: z.string().describe('Empty unless the call was made with an API key.'),
  mfaUpdatedAt: z.string(),
});

export const SessionList = z.object({ total: z.int(), sessions: z.array(Session) });

export const Token = z.object({
  ...created,
  userId: z.string(),
  secret: z.literal('').describe('The secret is in the email only.'),
  expire: Time,
  phrase: z.string(),
});

export const Jwt = z.object({ jwt: z.string() });

export const MfaFactors = z.object({
  totp: z.boolean(),
  email: z.boolean(),
  recoveryCode: z.boolean(),
  phone: z.literal(false),
  custom: z.literal(false),
});
export const MfaAuthenticator = z.object({ secret: z.string(), uri: z.string() });
export const MfaRecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
export const MfaChallenge = z.object({ ...created, userId: z.string(), expire: Time });

/** With the attributes of its collection beside these members. */
export const Document = z.looseObject({
  ...changed,
  $sequence: z.string(),
  $collectionId: z.string(),
  $databaseId: z.string(),
  $permissions: z.array(z.string()),
});
export const DocumentList = z.object({ total: z.int(), documents: z.array(Document) });

export const File = z.object({
  ...changed,
  bucketId: z.string(),
  $permissions: z.array(z.string()),
  name: z.string(),
  folder: z.string(),
  key: z.string(),
  signature: z.string().describe('MD5 of the whole file in hex; empty until all chunks have arrived.'),
  mimeType: z.string(),
  sizeOriginal: z.int(),
  sizeActual: z.int(),
  chunksTotal: z.int(),
  chunksUploaded: z.int(),
  encryption: z.literal(false),
  compression: z.literal('none'),
});
export const FileList = z.object({ total: z.int(), files: z.array(File) });

export const ResourceToken = z.object({
  ...created,
  resourceId: z.string(),
  resourceType: z.literal('files'),
  expire: Time,
  secret: z.string(),
  accessedAt: z.string(),
});

export const Subscriber = z.object({
  ...changed,
  targetId: z.string(),
  target: Target,
  userId: z.string(),
  userName: z.string(),
  topicId: z.string(),
  providerType: z.literal('push'),
});
