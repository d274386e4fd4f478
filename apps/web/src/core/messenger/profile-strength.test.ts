import { Profile } from '@dostar/protocol/contract/profile';
import { expect, it } from 'vitest';
import { computeStrength } from './profile-strength.ts';

function kept(value: object = {}) {
  return { revision: 1, audience: 'nobody', value };
}

function makeProfile(personal: object = {}, rest: Record<string, object> = {}): Profile {
  return Profile.parse({
    addresses: { picture: null, background: null },
    username: 'dana',
    personal: kept(personal),
    contact: kept(rest['contact']),
    education: kept(rest['education']),
    skills: kept(rest['skills']),
    work: kept(rest['work']),
  });
}

const blob = '7f000000-0000-4000-8000-000000000001';
const personal = {
  name: 'Dana',
  lastName: 'Kasymova',
  picture: blob,
  background: blob,
  address: 'Almaty',
  phoneNumber: '+7 701 000 00 00',
};
it('begins at zero, and first suggests the name', () => {
  expect(computeStrength(makeProfile())).toMatchObject({ value: 0, next: { step: 'name' } });
});

it('suggests the missing field with the most weight', () => {
  expect(computeStrength(makeProfile({ name: 'Dana' }))).toMatchObject({
    value: 15,
    next: { step: 'picture' },
  });
  expect(computeStrength(makeProfile(personal))).toMatchObject({ value: 60, next: { step: 'contact' } });
});

it('is 100 once every field is filled in, and then suggests nothing', () => {
  const rest = {
    contact: { links: ['https://example.org'] },
    education: { entries: [{ school: 'KazNU' }] },
    skills: { entries: [{ name: 'Baking', level: 'expert' }] },
    work: { entries: [{ company: 'Bakery' }] },
  };
  expect(computeStrength(makeProfile(personal, rest))).toEqual({ value: 100 });
});
