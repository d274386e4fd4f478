import { describe, expect, it } from 'vitest';
import { checkSignIn, checkSignUp } from './validate.ts';

describe('sign-in', () => {
  it('asks for an email, and for a real one', () => {
    expect(checkSignIn('  ')).toBe('emailRequired');
    expect(checkSignIn('dina')).toBe('emailInvalid');
    expect(checkSignIn('dina@mail.example ')).toBeUndefined();
  });
});

describe('sign-up', () => {
  it('names what is missing in each field', () => {
    expect(checkSignUp({ email: '', password: '', confirmation: '' })).toEqual({
      email: 'emailRequired',
      password: 'passwordRequired',
      confirmation: 'confirmationRequired',
    });
  });

  it('takes four characters of any alphabet, and the same twice', () => {
    expect(checkSignUp({ email: 'a@b.kz', password: 'abc', confirmation: 'abd' })).toEqual({
      password: 'passwordShort',
      confirmation: 'passwordsDiffer',
    });
    expect(checkSignUp({ email: 'a@b.kz', password: 'қыс1', confirmation: 'қыс1' })).toEqual({});
  });
});
