import { PICTURE_PATH } from '@dostar/protocol/contract/picture-url';
import * as contract from '@dostar/protocol/contract/profile';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { notifyAccountChange } from '../../identity/security-emails/service.ts';
import { canClaimUsername, claimUsername } from '../../identity/usernames/service.ts';
import { requireUser, setUserName } from '../users/service.ts';
import { openPicture, ownPictureUrls, readGroups, readProjection, saveGroup } from './service.ts';

const OWN: RateLimit = { name: 'profile', points: 120, perSeconds: 60, scope: 'process' };
const READS: RateLimit = { name: 'profile-reads', points: 240, perSeconds: 60, scope: 'process' };
/** Limits guesses of picture URLs. */
const GUESSES: RateLimit = { name: 'profile-picture-guesses', points: 120, perSeconds: 60, scope: 'process' };
/** A user tries a few names; a sweep tries thousands, from one account or from many at one address. */
const CHECKS: RateLimit = { name: 'check-username', points: 60, perSeconds: 3_600, scope: 'shared' };
const CHECKS_PER_ADDRESS: RateLimit = {
  name: 'check-username-address',
  points: 300,
  perSeconds: 3_600,
  scope: 'shared',
};
/** Every change reserves the former name for ninety days. */
const RENAMES: RateLimit = { name: 'change-username', points: 5, perSeconds: 24 * 3_600, scope: 'shared' };

export function profileRoutes(http: Http, ctx: Context): void {
  http.add(contract.getProfile, {
    summary: "Returns the caller's own profile",
    limit: OWN,
    async handle({ caller }) {
      const [{ username }, groups] = await Promise.all([
        requireUser(ctx, caller.account),
        readGroups(ctx, caller.account),
      ]);
      const addresses = ownPictureUrls(ctx, caller.account, groups.personal.value);
      return { username, ...groups, addresses };
    },
  });
  http.add(contract.saveGroup, {
    summary: 'Saves one group of the profile',
    limit: OWN,
    handle: async ({ body, caller }) => ({ revision: await saveGroup(ctx, caller.account, body) }),
  });
  http.add(contract.readProfile, {
    summary: 'Returns what an account shows to the caller',
    limit: READS,
    handle: ({ body, caller }) => readProjection(ctx, caller.account, body.account),
  });
  http.add(contract.checkUsername, {
    summary: 'Says whether a username is free',
    limit: CHECKS,
    async handle({ body, caller, address }) {
      await ctx.limits.charge(CHECKS_PER_ADDRESS, address);
      return { isFree: await canClaimUsername(ctx, caller.account, body.username) };
    },
  });
  http.add(contract.changeUsername, {
    summary: 'Changes the username',
    limit: OWN,
    async handle({ body: { username }, caller: { account }, address }) {
      // A refusal tells as much as a check does.
      await ctx.limits.charge(CHECKS, account);
      await ctx.limits.charge(CHECKS_PER_ADDRESS, address);
      const { username: before } = await requireUser(ctx, account);
      if (!(await canClaimUsername(ctx, account, username))) throw new AppError('username_taken');
      await ctx.limits.charge(RENAMES, account);
      await claimUsername(ctx, account, username);
      await setUserName(ctx, account, username);
      if (before !== username) await notifyAccountChange(ctx, account, 'username');
      return { username };
    },
  });
  http.addPicture(PICTURE_PATH, {
    summary: 'Returns a picture of a profile',
    guesses: GUESSES,
    handle: (wanted) => openPicture(ctx, wanted),
  });
}
