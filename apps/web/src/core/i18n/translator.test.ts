import { expect, test } from 'vitest';
import type { Namespace, TextKey } from './catalogues.ts';
import { createTexts } from './translator.ts';

/** The test's own catalogues contain sentences that the product does not have. */
function translatorOf(tag: string, catalogue: Parameters<ReturnType<typeof createTexts>['add']>[1]) {
  const texts = createTexts(tag);
  texts.add('shell', catalogue);
  return texts.translator('shell') as (key: string, options?: object) => string;
}

test('a sentence is found by its path in the catalogue', () => {
  const t = translatorOf('en', { account: { menu: { signOut: 'Sign out' } }, open: 'Open' });
  expect(t('account.menu.signOut')).toBe('Sign out');
  expect(t('open')).toBe('Open');
});

test('placeholders are filled with the given values, at every occurrence', () => {
  const t = translatorOf('en', { hello: '{{name}} & {{name}} of {{place}}' });
  expect(t('hello', { name: '<b>$&</b>', place: 'Almaty' })).toBe('<b>$&</b> & <b>$&</b> of Almaty');
  expect(t('hello', { name: '{{place}}', place: 'Almaty' })).toBe('{{place}} & {{place}} of Almaty');
  expect(t('hello', { name: 'A' })).toBe('A & A of ');
});

test('a number chooses the plural form of the language', () => {
  const en = translatorOf('en', { unread_one: '{{count}} message', unread_other: '{{count}} messages' });
  expect([1, 2, 0].map((count) => en('unread', { count }))).toEqual(['1 message', '2 messages', '0 messages']);
  const ru = translatorOf('ru', {
    unread_one: '{{count}} сообщение',
    unread_few: '{{count}} сообщения',
    unread_many: '{{count}} сообщений',
    unread_other: '{{count}} сообщения',
  });
  expect([1, 3, 5, 11, 21].map((count) => ru('unread', { count }))).toEqual([
    '1 сообщение',
    '3 сообщения',
    '5 сообщений',
    '11 сообщений',
    '21 сообщение',
  ]);
  expect(en('place', { count: 2, defaultValue: 'no form' })).toBe('no form');
});

test('a sentence without plural forms may contain a number', () => {
  expect(translatorOf('kk', { place: '{{count}} хабар' })('place', { count: 7 })).toBe('7 хабар');
});

test('without a sentence the default is shown, and without a default the key', () => {
  const t = translatorOf('en', {});
  expect(t('sas.Dog', { defaultValue: 'Dog' })).toBe('Dog');
  expect(t('sas.Dog')).toBe('sas.Dog');
});

test('a namespace that is not loaded counts as missing', () => {
  const texts = createTexts('en');
  expect(texts.has('shell')).toBe(false);
  texts.add('shell', {});
  expect(texts.has('shell')).toBe(true);
});

test('a translator stays the same function when its texts load later', () => {
  const texts = createTexts('en');
  const before = texts.translator('shell');
  texts.add('shell', { account: { signOut: 'Sign out' } });
  expect(texts.translator('shell')).toBe(before);
  expect(before('account.signOut')).toBe('Sign out');
});

test('keys are those of the English catalogues, without plural suffixes', () => {
  const keys: { [N in Namespace]?: TextKey<N> } = { shell: 'account.signOut', chats: 'unread' };
  // @ts-expect-error -- A plural form has no key of its own.
  keys.chats = 'unread_one';
  // @ts-expect-error -- There is no such sentence.
  keys.shell = 'account.fly';
  expect(Object.keys(keys)).toEqual(['shell', 'chats']);
});
