import { describe, expect, it } from 'vitest';
import { colourOf, initialsOf } from './avatar-look.ts';
import { joinDate } from './date-field.tsx';
import { measurePassword } from './password-strength.ts';

describe('initials', () => {
  it.each([
    ['Дина Қасымова', 'ДҚ'],
    ['әнел жұмабай', 'ӘЖ'],
    ['Amadeus', 'A'],
    ['  Mark   Whitfield Jr', 'MW'],
    ['🌞 Күн', 'К'],
    ['', '?'],
  ])('of "%s" are %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });

  it('have a fixed colour out of eight', () => {
    expect(colourOf('0190a5c2')).toBe(colourOf('0190a5c2'));
    const colours = new Set(Array.from({ length: 400 }, (_, index) => colourOf(`account-${index}`)));
    expect(colours.size).toBe(8);
  });
});

describe('the password meter', () => {
  it.each([
    ['1234', 'weak'],
    ['password123', 'weak'],
    ['aaaaaaaaaaaaaaaa', 'weak'],
    ['құпиясөз', 'weak'],
    ['four quiet grey horses', 'strong'],
    ['Tr0ub4dor&3x', 'good'],
  ])('calls "%s" %s', (password, strength) => {
    expect(measurePassword(password)).toBe(strength);
  });
});

describe('the date field', () => {
  it('returns only dates that exist', () => {
    expect(joinDate({ year: '2024', month: '2', day: '29' })).toBe('2024-02-29');
    expect(joinDate({ year: '2023', month: '2', day: '29' })).toBeUndefined();
    expect(joinDate({ year: '99', month: '1', day: '1' })).toBeUndefined();
    expect(joinDate({ year: '1990', month: '', day: '1' })).toBeUndefined();
  });
});
