import type { Profile } from '@dostar/protocol/contract/profile';
import { paths } from '../lib/paths.ts';

/** Shown until the profile has been read. */
export const placeholderStrength = 50;

/** Weights that add up to a hundred, the largest first: also the order of suggestions. */
const steps = [
  { step: 'name', weight: 15, path: paths.profile },
  { step: 'picture', weight: 15, path: paths.profile },
  { step: 'lastName', weight: 10, path: paths.profile },
  { step: 'contact', weight: 10, path: paths.profileContact },
  { step: 'education', weight: 10, path: paths.profileEducation },
  { step: 'work', weight: 10, path: paths.profileWork },
  { step: 'skills', weight: 10, path: paths.profileSkills },
  { step: 'phoneNumber', weight: 10, path: paths.profile },
  { step: 'address', weight: 5, path: paths.profile },
  { step: 'background', weight: 5, path: paths.profile },
] as const;

type Step = (typeof steps)[number]['step'];

export interface Strength {
  /** 0 to 100. */
  value: number;
  /** The next suggestion; missing once the profile is complete. */
  next?: { step: Step; path: string };
}

/** Fields that only the owner can read do not count: no user should feel urged to enter document numbers. */
export function computeStrength(profile: Profile): Strength {
  const { name, picture, lastName, phoneNumber, address, background } = profile.personal.value;
  const { email, phones, links, messengers } = profile.contact.value;
  const filled: Record<Step, boolean> = {
    name: name !== '',
    picture: picture !== null,
    lastName: lastName !== '',
    contact: email !== '' || phones.length + links.length + messengers.length > 0,
    education: profile.education.value.entries.length > 0,
    work: profile.work.value.entries.length > 0,
    skills: profile.skills.value.entries.length > 0,
    phoneNumber: phoneNumber !== '',
    address: address !== '',
    background: background !== null,
  };
  const missing = steps.filter(({ step }) => !filled[step]);
  const value = 100 - missing.reduce((sum, { weight }) => sum + weight, 0);
  const [next] = missing;
  return next === undefined ? { value } : { value, next: { step: next.step, path: next.path } };
}
