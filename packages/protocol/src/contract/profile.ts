/**
 * The profile of an account in groups, each with an audience. A save names the revision that it is based on, so that
 * two tabs never silently overwrite each other. Fields that only the owner may read are not here: the browser stores
 * them as sealed account data.
 */
import { z } from 'zod';
import { AccountId } from '../ids.ts';
import { Email, Username } from './accounts.ts';
import { BlobId } from './blobs.ts';
import { endpoint } from './endpoint.ts';
import { PictureUrl } from './picture-url.ts';

/** `contacts`: users who accept each other. `everybody`: all signed-in users who are not blocked. */
export const Audience = z.enum(['nobody', 'contacts', 'everybody']);
export type Audience = z.infer<typeof Audience>;

export const MAX_ENTRIES = 20;
export const MAX_SKILLS = 50;
/** In characters. */
export const MAX_LINE = 120;
export const MAX_ADDRESS = 300;
export const MAX_PHONE_NUMBER = 32;
export const MAX_LINK = 300;
export const MAX_DESCRIPTION = 1_000;
/** Limit after the browser has cropped and scaled the picture. */
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024;

/** Empty fields are empty strings. */
const Line = z.string().trim().max(MAX_LINE).default('');
const RequiredLine = z.string().trim().min(1).max(MAX_LINE);
export const PhoneNumber = z
  .string()
  .trim()
  .max(MAX_PHONE_NUMBER)
  .regex(/^\+?[0-9 ()-]{5,}$/);
export const WebAddress = z
  .string()
  .trim()
  .max(MAX_LINK)
  .pipe(z.url({ protocol: /^https?$/ }));
export const Year = z.string().regex(/^(?:19|20)\d{2}$/);

const years = { from: Year.or(z.literal('')).default(''), to: Year.or(z.literal('')).default('') };

/** True unless both years are known and in the wrong order. */
export function areYearsInOrder({ from, to }: { from: string; to: string }): boolean {
  return from === '' || to === '' || from <= to;
}

export const SkillLevel = z.enum(['beginner', 'intermediate', 'advanced', 'expert']);
export type SkillLevel = z.infer<typeof SkillLevel>;

export const Personal = z.object({
  name: Line,
  lastName: Line,
  address: z.string().trim().max(MAX_ADDRESS).default(''),
  phoneNumber: PhoneNumber.or(z.literal('')).default(''),
  picture: BlobId.nullable().default(null),
  background: BlobId.nullable().default(null),
});
export const ContactDetails = z.object({
  email: Email.or(z.literal('')).default(''),
  phones: z.array(PhoneNumber).max(MAX_ENTRIES).default([]),
  links: z.array(WebAddress).max(MAX_ENTRIES).default([]),
  messengers: z
    .array(z.object({ service: RequiredLine, name: RequiredLine }))
    .max(MAX_ENTRIES)
    .default([]),
});
export const School = z.object({ school: RequiredLine, degree: Line, field: Line, ...years }).refine(areYearsInOrder);
export const Education = z.object({ entries: z.array(School).max(MAX_ENTRIES).default([]) });
export const Skill = z.object({ name: RequiredLine, level: SkillLevel });
export const Skills = z.object({ entries: z.array(Skill).max(MAX_SKILLS).default([]) });
export const WorkEntry = z
  .object({
    company: RequiredLine,
    position: Line,
    ...years,
    description: z.string().trim().max(MAX_DESCRIPTION).default(''),
  })
  .refine(areYearsInOrder);
export const Work = z.object({ entries: z.array(WorkEntry).max(MAX_ENTRIES).default([]) });

export const GROUPS = { personal: Personal, contact: ContactDetails, education: Education, skills: Skills, work: Work };
export const GroupName = z.enum(['personal', 'contact', 'education', 'skills', 'work']);
export type GroupName = z.infer<typeof GroupName>;
export type Group<Name extends GroupName> = z.infer<(typeof GROUPS)[Name]>;

/** By default contacts see the name and contact details; the rest is hidden. */
export const DEFAULT_AUDIENCES: Record<GroupName, Audience> = {
  personal: 'contacts',
  contact: 'contacts',
  education: 'nobody',
  skills: 'nobody',
  work: 'nobody',
};

const addresses = { picture: PictureUrl.nullable(), background: PictureUrl.nullable() };

function savedGroup<Value extends z.ZodType>(value: Value) {
  /** `revision` is 0 if the group was never saved. */
  return z.object({ revision: z.int().nonnegative(), audience: Audience, value });
}

export const Profile = z.object({
  username: Username,
  personal: savedGroup(Personal),
  contact: savedGroup(ContactDetails),
  education: savedGroup(Education),
  skills: savedGroup(Skills),
  work: savedGroup(Work),
  /** URLs of the pictures in the personal group. */
  addresses: z.object(addresses),
});
export type Profile = z.infer<typeof Profile>;

export const getProfile = endpoint({
  method: 'GET',
  path: '/api/profile',
  auth: 'session',
  body: z.undefined(),
  reply: Profile,
  errors: ['unauthenticated', 'not_found', 'rate_limited', 'unavailable'],
});

type Changes<Shape> = {
  [Field in keyof Shape]: Shape[Field] extends z.ZodDefault<infer T> ? z.ZodExactOptional<T> : never;
};

/** Without defaults, so that a missing field differs from an emptied one. */
function changesOf<Shape extends Record<string, z.ZodDefault<z.ZodType>>>({ shape }: z.ZodObject<Shape>) {
  const fields = Object.entries(shape).map(([name, field]) => [name, field.unwrap().exactOptional()]);
  return z.object(Object.fromEntries(fields) as Changes<Shape>);
}

function groupChange<Name extends GroupName, Value extends z.ZodType>(group: Name, value: Value) {
  return z.object({
    group: z.literal(group),
    /** The revision that the change is based on. */
    revision: z.int().nonnegative(),
    audience: Audience,
    value,
  });
}

/**
 * Fields that the request leaves out keep their values, so that an app of an older version erases none that it doesn't
 * know. `stale_revision`: another tab or device was faster.
 */
export const saveGroup = endpoint({
  method: 'POST',
  path: '/api/profile/save',
  auth: 'session',
  body: z.discriminatedUnion('group', [
    groupChange('personal', changesOf(Personal)),
    groupChange('contact', changesOf(ContactDetails)),
    groupChange('education', changesOf(Education)),
    groupChange('skills', changesOf(Skills)),
    groupChange('work', changesOf(Work)),
  ]),
  reply: z.object({ revision: z.int().positive() }),
  errors: ['stale_revision', 'not_found', 'too_large', 'rate_limited', 'unavailable'],
});

/**
 * A user's profile as the caller may see it; null for a hidden group. An unknown account looks like one that shows
 * nothing.
 */
export const Projection = z.object({
  personal: Personal.extend(addresses).nullable(),
  contact: ContactDetails.nullable(),
  education: Education.nullable(),
  skills: Skills.nullable(),
  work: Work.nullable(),
});
export type Projection = z.infer<typeof Projection>;

export const readProfile = endpoint({
  method: 'POST',
  path: '/api/profile/of',
  auth: 'session',
  body: z.object({ account: AccountId }),
  reply: Projection,
  errors: ['rate_limited', 'unavailable'],
});

export const checkUsername = endpoint({
  method: 'POST',
  path: '/api/profile/username/check',
  auth: 'session',
  body: z.object({ username: Username }),
  reply: z.object({ isFree: z.boolean() }),
  errors: ['rate_limited', 'unavailable'],
});

/** The former name stays reserved for ninety days. */
export const changeUsername = endpoint({
  method: 'POST',
  path: '/api/profile/username',
  auth: 'session',
  body: z.object({ username: Username }),
  reply: z.object({ username: Username }),
  errors: ['username_taken', 'not_found', 'rate_limited', 'unavailable'],
});

export const PictureKind = z.enum(['picture', 'background']);
export type PictureKind = z.infer<typeof PictureKind>;
