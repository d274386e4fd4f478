/** The part of a profile that only its owner can read: encrypted account data, on all devices of the owner. */
import { z } from 'zod';
import type { AtRest } from '../storage/at-rest.ts';
import type { Db } from '../storage/open.ts';
import type { ItemRow } from '../storage/rows.ts';
import { type ItemDeps, openValue, setItem } from './items.ts';

const PROFILE_DOCUMENT = 'profile';

const Line = z.string().trim().max(120).catch('');

const PersonalInformation = z.object({
  fullname: Line,
  /** `2001-05-29`. */
  birthday: Line,
  bloodGroup: Line,
  maritalStatus: Line,
  gender: Line,
  languages: Line,
  region: Line,
  nationality: Line,
});
export type PersonalInformation = z.infer<typeof PersonalInformation>;

const IdentityProof = z.object({ atomicsId: Line, pin: Line, passportNumber: Line, drivingLicenseNumber: Line });
export type IdentityProof = z.infer<typeof IdentityProof>;

const PARTS = { personalInformation: PersonalInformation, identityProof: IdentityProof };

export interface PrivateProfile {
  personalInformation: PersonalInformation;
  identityProof: IdentityProof;
}

/** Saves the given parts and leaves the others. */
export async function savePrivateProfile(db: Db, deps: ItemDeps, changes: Partial<PrivateProfile>): Promise<void> {
  const { personalInformation, identityProof } = changes;
  if (personalInformation) {
    await setItem(db, deps, PROFILE_DOCUMENT, 'personalInformation', PersonalInformation.parse(personalInformation));
  }
  if (identityProof) await setItem(db, deps, PROFILE_DOCUMENT, 'identityProof', IdentityProof.parse(identityProof));
}

export async function listPrivateRows(db: Db): Promise<ItemRow[]> {
  return db.items.where('doc').equals(PROFILE_DOCUMENT).toArray();
}

/** Fields that were not filled in are empty. */
export async function openPrivateProfile(atRest: AtRest, rows: ItemRow[]): Promise<PrivateProfile> {
  async function open(name: keyof typeof PARTS): Promise<unknown> {
    const row = rows.find(({ item }) => item === name);
    return (row && (await openValue(atRest, row))) ?? {};
  }
  return {
    personalInformation: PersonalInformation.parse(await open('personalInformation')),
    identityProof: IdentityProof.parse(await open('identityProof')),
  };
}
