import { expect, it } from 'vitest';
import { checkGroup } from './list-problems.ts';

it('accepts a valid group and trims its values', () => {
  const personal = { name: ' Dana ', lastName: '', address: '', phoneNumber: '', picture: null, background: null };
  expect(checkGroup('personal', personal)).toEqual({ value: { ...personal, name: 'Dana' } });
});

it('reports each invalid field by its path', () => {
  const messengers = [{ service: 'Telegram', name: '' }];
  const contact = { email: 'nonsense', phones: ['+7 701 000 00 00', 'call me'], links: ['javascript:1'], messengers };
  expect(checkGroup('contact', contact)).toEqual({
    problems: { email: 'email', 'phones.1': 'phone', 'links.0': 'link', 'messengers.0.name': 'required' },
  });
});

it('reports a value that is too long in any field', () => {
  const long = 'x'.repeat(301);
  const personal = { name: long, lastName: '', address: long, phoneNumber: '', picture: null, background: null };
  expect(checkGroup('personal', personal)).toEqual({ problems: { name: 'tooLong', address: 'tooLong' } });
  const contact = { email: '', phones: [], links: [`https://example.org/${long}`], messengers: [] };
  expect(checkGroup('contact', contact)).toEqual({ problems: { 'links.0': 'tooLong' } });
});

it('distinguishes an invalid year from years in the wrong order', () => {
  const job = { company: 'Bakery', position: '', description: '', from: '2015', to: '' };
  const entries = [
    { ...job, to: '15' },
    { ...job, to: '2010' },
    { ...job, company: ' ' },
  ];
  expect(checkGroup('work', { entries })).toEqual({
    problems: { 'entries.0.to': 'year', 'entries.1.to': 'order', 'entries.2.company': 'required' },
  });
});
