import { describe, expect, it } from 'vitest';
import { localisePath, readLocale, stripLocale } from './locale.ts';

describe('the language of an address', () => {
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

  it('is taken off together with the slash prerendering adds', () => {
    expect(['/', '/kz', '/kz/', '/ru/about/', '/about'].map(stripLocale)).toEqual(['/', '/', '/', '/about', '/about']);
  });

  it('changes while the page stays', () => {
    expect(localisePath('kz', '/ru/components/custom-input')).toBe('/kz/components/custom-input');
    expect(localisePath('en', '/kz')).toBe('/');
    expect(localisePath('ru', '/')).toBe('/ru');
  });
});
