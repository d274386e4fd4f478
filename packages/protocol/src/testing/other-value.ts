/** For tests that iterate over the whole table of preferences. */
import { z } from 'zod';
import { CONTACT_PREFERENCES, type ContactPreferences } from '../contract/contact-preferences.ts';

/** A valid value of the preference that differs from its default. */
export function otherValue<Name extends keyof ContactPreferences>(name: Name): ContactPreferences[Name] {
  const { type, default: standard } = CONTACT_PREFERENCES[name];
  const inner: unknown = type instanceof z.ZodNullable ? type.unwrap() : type;
  const candidates = inner instanceof z.ZodEnum ? inner.options : [true, false, 42, `canary ${name}`];
  const other = candidates.find((value) => value !== standard && type.safeParse(value).success);
  if (other === undefined) throw new Error(`no other value of ${name}`);
  return other as ContactPreferences[Name];
}
