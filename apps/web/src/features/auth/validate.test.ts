import { describe, expect, it } from 'vitest';
import { checkSignIn, checkSignUp } from './validate.ts';

describe('sign-in', () => {
  it('rejects an empty and a malformed email', () => {
    expect(checkSignIn('  ')).toBe('emailRequired');
    expect(checkSignIn('dina')).toBe('emailInvalid');
    expect(checkSignIn('dina@mail.example ')).toBeUndefined();
  });
});

describe('sign-up', () => {
  it('reports each missing field', () => {
    expect(checkSignUp({ email: '', password: '', confirmation: '' })).toEqual({
      email: 'emailRequired',
      password: 'passwordRequired',
      confirmation: 'confirmationRequired',
    });
  });

  it('accepts four characters of any alphabet and requires both fields to match', () => {
    expect(checkSignUp({ email: 'a@b.kz', password: 'abc', confirmation: 'abd' })).toEqual({
      password: 'passwordShort',
      confirmation: 'passwordsDiffer',
    });
    expect(checkSignUp({ email: 'a@b.kz', password: 'қыс1', confirmation: 'қыс1' })).toEqual({});
  });
});
