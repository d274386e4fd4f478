import { expect, test } from 'vitest';
import { otherValue } from '../testing/other-value.ts';
import {
  CONTACT_PREFERENCES,
  DEFAULT_PREFERENCES,
  DEFAULT_SERVER_PREFERENCES,
  pickPreferences,
  SEALED_PREFERENCES,
  SERVER_PREFERENCES,
} from './contact-preferences.ts';
import { ContactChanges, ContactRecord } from './contacts.ts';

const plain = { state: 'accepted', peerAccepts: true, since: 1 };

test('each default is a value of its own type', () => {
  for (const { type, default: standard } of Object.values(CONTACT_PREFERENCES)) {
    expect(type.parse(standard)).toBe(standard);
  }
});

test('a record stored before a preference existed gets its default', () => {
  expect(ContactRecord.parse(plain)).toEqual({ ...plain, ...DEFAULT_SERVER_PREFERENCES });
});

test('a change sets only the preferences that it names', () => {
  expect(ContactChanges.parse({})).toEqual({});
  for (const name of SERVER_PREFERENCES) {
    const change = { [name]: otherValue(name) };
    expect(ContactChanges.parse(change)).toEqual(change);
    expect(ContactRecord.parse({ ...plain, ...change })).toMatchObject(change);
  }
});

test('W6: no request to the server contains a sealed preference', () => {
  for (const name of SEALED_PREFERENCES) {
    const change = { [name]: otherValue(name) };
    expect(ContactChanges.parse(change)).toEqual({});
    expect(ContactRecord.parse({ ...plain, ...change })).not.toHaveProperty(name);
  }
});

test('preferences are picked from a contact without its other fields', () => {
  expect(pickPreferences({ ...DEFAULT_PREFERENCES, ...plain })).toEqual(DEFAULT_PREFERENCES);
});
