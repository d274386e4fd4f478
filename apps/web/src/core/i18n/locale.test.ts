import { describe, expect, it } from 'vitest';
import { localisePath, readLocale, stripLocale } from './locale.ts';

describe('the locale of a path', () => {
  it.each([
    ['/', 'en'],
    ['/about', 'en'],
    ['/kz', 'kz'],
    ['/kz/about/', 'kz'],
    ['/ru/contacts/dina', 'ru'],
    ['/kzz', 'en'],
    ['/en/about', 'en'],
  ])('%s is %s', (path, code) => {
    expect(readLocale(path)).toBe(code);
  });

  it('is removed together with the slash that prerendering adds', () => {
    expect(['/', '/kz', '/kz/', '/ru/about/', '/about'].map(stripLocale)).toEqual(['/', '/', '/', '/about', '/about']);
  });

  it('can be replaced in the path of the same page', () => {
    expect(localisePath('kz', '/ru/components/custom-input')).toBe('/kz/components/custom-input');
    expect(localisePath('en', '/kz')).toBe('/');
    expect(localisePath('ru', '/')).toBe('/ru');
  });
});
