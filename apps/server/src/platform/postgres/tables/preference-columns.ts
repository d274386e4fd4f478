/** Columns of the preferences of a contact that the server sees: each has the preference's name in snake case. */
import {
  SERVER_PREFERENCES,
  type ServerPreference,
  type ServerPreferences,
} from '@dostar/protocol/contract/contact-preferences';
import type { Generated } from 'kysely';

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text;

type PreferenceValues = { [Name in ServerPreference as SnakeCase<Name>]: ServerPreferences[Name] };
export type PreferenceColumns = {
  [Column in keyof PreferenceValues]: Generated<PreferenceValues[Column]>;
};

type Selection = { [Name in ServerPreference]: `${SnakeCase<Name>} as ${Name}` }[ServerPreference];

export const PREFERENCE_SELECTION = SERVER_PREFERENCES.map((name) => `${toSnakeCase(name)} as ${name}` as Selection);

export function toPreferenceColumns(preferences: ServerPreferences): PreferenceValues {
  return Object.fromEntries(
    SERVER_PREFERENCES.map((name) => [toSnakeCase(name), preferences[name]]),
  ) as unknown as PreferenceValues;
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
