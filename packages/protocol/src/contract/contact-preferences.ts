/**
 * Preferences of an account for a contact and their chat. Database columns, registers, account data and screens derive
 * from this table. docs/start/recipes/preference.md explains how to add one.
 */
import { z } from 'zod';

export const CONTACT_PREFERENCES = {
  /** Milliseconds since 1970; 0 if not muted. */
  mutedUntil: { visibility: 'server', type: z.int().nonnegative(), default: 0 },
  /** Whether the contact gets read receipts. */
  receipts: { visibility: 'server', type: z.boolean(), default: true },
  /** Whether both sides see each other typing. */
  typing: { visibility: 'server', type: z.boolean(), default: true },
  archived: { visibility: 'server', type: z.boolean(), default: false },
  pinned: { visibility: 'server', type: z.boolean(), default: false },
  /** A nickname for the contact; null shows their own name. */
  alias: { visibility: 'sealed', type: z.string().trim().min(1).max(100).nullable(), default: null },
  /** The notification sound; `default` is the app's default sound. */
  sound: {
    visibility: 'sealed',
    type: z.enum(['default', 'chime', 'drop', 'marimba', 'echo', 'none']),
    default: 'default',
  },
} as const satisfies Record<string, PreferenceDefinition>;

interface PreferenceDefinition {
  /**
   * `server`: a column and a part of the contact's register, for preferences that the server acts on. `sealed`:
   * encrypted account data (SPEC A1). Prefer `sealed`.
   */
  visibility: Visibility;
  type: z.ZodType;
  default: unknown;
}

type Visibility = 'server' | 'sealed';
type Table = typeof CONTACT_PREFERENCES;
type NameOf<V extends Visibility> = {
  [Name in keyof Table]: Table[Name]['visibility'] extends V ? Name : never;
}[keyof Table];
type ValuesOf<V extends Visibility> = { [Name in NameOf<V>]: z.output<Table[Name]['type']> };

export type ServerPreference = NameOf<'server'>;
export type ServerPreferences = ValuesOf<'server'>;
export type SealedPreference = NameOf<'sealed'>;
export type SealedPreferences = ValuesOf<'sealed'>;
export type ContactPreferences = ServerPreferences & SealedPreferences;

export const SERVER_PREFERENCES = listNames('server');
export const SEALED_PREFERENCES = listNames('sealed');

export const DEFAULT_SERVER_PREFERENCES = mapValues(SERVER_PREFERENCES, (one) => one.default) as ServerPreferences;
export const DEFAULT_SEALED_PREFERENCES = mapValues(SEALED_PREFERENCES, (one) => one.default) as SealedPreferences;
export const DEFAULT_PREFERENCES: ContactPreferences = { ...DEFAULT_SERVER_PREFERENCES, ...DEFAULT_SEALED_PREFERENCES };

/** Fields of a stored record, which may lack preferences that an older version did not know. */
export const STORED_PREFERENCES = mapValues(SERVER_PREFERENCES, (one) =>
  (one.type as z.ZodType).default(one.default),
) as { [Name in ServerPreference]: z.ZodDefault<Table[Name]['type']> };

/** Fields of a change: preferences that it does not name keep their values. */
export const CHANGED_PREFERENCES = mapValues(SERVER_PREFERENCES, (one) => one.type) as {
  [Name in ServerPreference]: Table[Name]['type'];
};

/** Returns only the preferences of an object that has more fields. */
export function pickPreferences(all: ContactPreferences): ContactPreferences {
  const names = [...SERVER_PREFERENCES, ...SEALED_PREFERENCES];
  return Object.fromEntries(names.map((name) => [name, all[name]])) as unknown as ContactPreferences;
}

function listNames<V extends Visibility>(visibility: V): NameOf<V>[] {
  const names = Object.keys(CONTACT_PREFERENCES) as (keyof Table)[];
  return names.filter((name) => CONTACT_PREFERENCES[name].visibility === visibility) as NameOf<V>[];
}

function mapValues(names: (keyof Table)[], map: (one: Table[keyof Table]) => unknown): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, map(CONTACT_PREFERENCES[name])]));
}
