/**
 * An account's profile, and who may read it.
 *
 * Promise: a group is replaced only by a device that has read its current version. A viewer outside of a group's audience
 * can neither read it nor learn whether it exists.
 */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DEFAULT_AUDIENCES, GroupName, GROUPS, MAX_PICTURE_BYTES } from '@dostar/protocol/contract/profile';
import type * as contract from '@dostar/protocol/contract/profile';
import type { Audience, Group, PictureKind, Profile, Projection } from '@dostar/protocol/contract/profile';
import type { PictureUrl } from '@dostar/protocol/contract/picture-url';
import type { BlobId } from '@dostar/protocol/contract/blobs';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { deleteBlob, readBytes, requireReadable } from '../../messaging/attachments/service.ts';
import { listContactStatuses } from '../contacts/service.ts';
import type { ContactStatus } from '../contacts/service.ts';
import { pictureUrlOf, readPictureUrl } from './picture-urls.ts';
import { HEAD_BYTES, pictureTypeOf } from './picture-type.ts';
import { openThumbnail } from './thumbnails.ts';
import { listGroups, putGroup } from './store.ts';
import type { GroupRow } from './store.ts';

const ALL = GroupName.options;
/** How long browsers cache the original if no thumbnail could be drawn. */
const ORIGINAL_MAX_AGE_MS = 300_000;
/** A list of contacts has many; browsers cache them. */
const PICTURES: RateLimit = { name: 'profile-pictures', points: 1_200, perSeconds: 60, scope: 'process' };

interface StoredGroup<Name extends GroupName> {
  revision: number;
  audience: Audience;
  value: Group<Name>;
}

interface PictureRequest {
  token: string;
  isSmall: boolean;
  /** The `Accept` header. */
  accept: string;
}

interface ShownPicture {
  type: string;
  size: number;
  maxAgeMs: number;
  bytes: AsyncIterable<Uint8Array>;
  variesByAccept?: boolean;
}

type GroupChange = z.output<typeof contract.saveGroup.body>;
type Groups = { [Name in GroupName]: StoredGroup<Name> };

export async function readGroups(ctx: Context, owner: AccountId): Promise<Groups> {
  const rows = await ctx.shards.of(owner).query((db) => listGroups(db, [owner], ALL));
  return parseGroups(rows);
}

/** For the owner's own pages. */
export function ownPictureUrls(ctx: Context, owner: AccountId, personal: Group<'personal'>): Profile['addresses'] {
  return pictureUrlsFor(ctx, { viewer: owner, owner }, personal);
}

function pictureUrlsFor(
  ctx: Context,
  people: { viewer: AccountId; owner: AccountId },
  named: Pick<Group<'personal'>, PictureKind>,
): Profile['addresses'] {
  const find = (kind: PictureKind): PictureUrl | null => {
    const blob = named[kind];
    return blob === null ? null : pictureUrlOf(ctx, { ...people, kind, blob });
  };
  return { picture: find('picture'), background: find('background') };
}

/** Answers the new revision. Pictures that are no longer named are gone afterwards. */
export async function saveGroup(ctx: Context, owner: AccountId, change: GroupChange): Promise<number> {
  const { group: name, revision, audience, value } = change;
  const stored = name === 'personal' ? (await readGroups(ctx, owner)).personal.value : undefined;
  const before = stored ? picturesOf(stored) : [];
  const after = stored ? picturesOf({ ...stored, ...value }) : [];
  for (const blob of after.filter((one) => !before.includes(one))) await requirePicture(ctx, owner, blob);
  const saved = await ctx.shards.withCurrentShard(() =>
    ctx.shards
      .of(owner)
      .write(owner, (db) => putGroup(db, { owner, name, revision, audience, value }, ctx.clock.now())),
  );
  if (saved === undefined) throw new AppError('stale_revision');
  for (const blob of before.filter((one) => !after.includes(one))) {
    // The group is saved: bytes that stay behind count as the owner's, and are deleted with the account.
    await deleteBlob(ctx, owner, blob).catch((error: unknown) => ctx.log.debug({ err: error }, 'picture not dropped'));
  }
  return saved;
}

/** What `viewer` may read of `owner`. An unknown account looks like one that shows nothing. */
export async function readProjection(ctx: Context, viewer: AccountId, owner: AccountId): Promise<Projection> {
  const [statuses, groups] = await Promise.all([listContactStatuses(ctx, viewer, [owner]), readGroups(ctx, owner)]);
  return project(groups, statuses.get(owner) ?? 'stranger', (personal) =>
    pictureUrlsFor(ctx, { viewer, owner }, personal),
  );
}

function project(
  groups: Groups,
  status: ContactStatus,
  find: (personal: Group<'personal'>) => Profile['addresses'],
): Projection {
  const show = <Name extends GroupName>(name: Name): Group<Name> | null => {
    const { revision, audience, value } = groups[name] as StoredGroup<Name>;
    return revision > 0 && isShown(audience, status) ? value : null;
  };
  const personal = show('personal');
  return {
    personal: personal && { ...personal, ...find(personal) },
    contact: show('contact'),
    education: show('education'),
    skills: show('skills'),
    work: show('work'),
  };
}

interface ProfileCard {
  name?: string;
  picture?: PictureUrl;
}

/** Names and photos that `viewer` may see; accounts that show none are left out. */
export async function listProfileCards(
  ctx: Context,
  viewer: AccountId,
  accounts: AccountId[],
): Promise<Map<AccountId, ProfileCard>> {
  const groups = [...ctx.shards.group(accounts, (account) => account)];
  const [statuses, ...found] = await Promise.all([
    listContactStatuses(ctx, viewer, accounts),
    ...groups.map(([shard, owners]) => shard.query((db) => listGroups(db, owners, ['personal']))),
  ]);
  const shown = found.flat().filter(({ owner, audience }) => isShown(audience, statuses.get(owner) ?? 'stranger'));
  return new Map(
    shown.map((row) => {
      const { name, lastName, picture } = parseGroups([row]).personal.value;
      const whole = `${name} ${lastName}`.trim();
      const address = picture && pictureUrlOf(ctx, { viewer, owner: row.owner, kind: 'picture', blob: picture });
      return [row.owner, { ...(whole !== '' && { name: whole }), ...(address && { picture: address }) }];
    }),
  );
}

/** The picture of a URL, while the viewer it was made for may see it. */
export async function openPicture(
  ctx: Context,
  { token, isSmall, accept }: PictureRequest,
): Promise<ShownPicture | undefined> {
  const named = readPictureUrl(ctx, token);
  if (!named) return undefined;
  const { viewer, owner, kind, blob, until } = named;
  await ctx.limits.charge(PICTURES, viewer);
  const [statuses, { personal }] = await Promise.all([
    listContactStatuses(ctx, viewer, [owner]),
    readGroups(ctx, owner),
  ]);
  const isTheirs = personal.value[kind] === blob && isShown(personal.audience, statuses.get(owner) ?? 'stranger');
  if (!isTheirs) throw new AppError('not_found');
  const { size } = await requireReadable(ctx, owner, blob);
  const type = await pictureTypeOf(await buffer(readBytes(ctx, blob, 0, Math.min(size, HEAD_BYTES) - 1)));
  if (type === undefined) throw new AppError('not_found');
  const maxAgeMs = until - ctx.clock.now();
  const small = isSmall ? await openThumbnail(ctx, { blob, size }, accept) : undefined;
  if (small) {
    const { type: drawn, bytes: few } = small;
    return { type: drawn, size: few.length, maxAgeMs, bytes: Readable.from([few]), variesByAccept: true };
  }
  const bytes = readBytes(ctx, blob, 0, size - 1);
  // A later call may get the thumbnail.
  return isSmall
    ? { type, size, maxAgeMs: ORIGINAL_MAX_AGE_MS, bytes, variesByAccept: true }
    : { type, size, maxAgeMs, bytes };
}

function isShown(audience: Audience, status: ContactStatus): boolean {
  if (status === 'self') return true;
  if (status === 'blocked') return false;
  return audience === 'everybody' || (audience === 'contacts' && status === 'contact');
}

async function requirePicture(ctx: Context, owner: AccountId, blob: BlobId): Promise<void> {
  const { uploader, size } = await requireReadable(ctx, owner, blob);
  // A contact's file could not be taken back once it was shown as an own picture.
  if (uploader !== owner) throw new AppError('not_found');
  if (size > MAX_PICTURE_BYTES) throw new AppError('too_large');
}

function picturesOf({ picture, background }: Group<'personal'>): BlobId[] {
  return [picture, background].filter((blob) => blob !== null);
}

function parseGroups(rows: GroupRow[]): Groups {
  const kept = <Name extends GroupName>(name: Name): StoredGroup<Name> => {
    const row = rows.find((one) => one.name === name);
    const value = parseFields(name, row?.value ?? {});
    return { revision: row?.revision ?? 0, audience: row?.audience ?? DEFAULT_AUDIENCES[name], value };
  };
  return {
    personal: kept('personal'),
    contact: kept('contact'),
    education: kept('education'),
    skills: kept('skills'),
    work: kept('work'),
  };
}

/** A field that another version stored and this one can't read is empty; the others stay. */
function parseFields<Name extends GroupName>(name: Name, stored: Record<string, unknown>): Group<Name> {
  const fields = Object.entries<z.ZodType>(GROUPS[name].shape).map(([field, type]) => {
    const parsed = type.safeParse(stored[field]);
    return [field, parsed.success ? parsed.data : type.parse(undefined)];
  });
  return Object.fromEntries(fields) as Group<Name>;
}
