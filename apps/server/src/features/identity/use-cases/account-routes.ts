import * as contract from '@dostar/protocol/contract/accounts';
import { updateUser } from '@dostar/protocol/contract/users';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { DONE } from '@dostar/protocol/contract/done';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import { requireSelf } from '../../../platform/http/caller.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { changeUser, requireUser } from '../../people/users/service.ts';
import { markVerified } from '../accounts/service.ts';
import { requireNoPriorCredentials } from '../recovery/service.ts';
import { requireReauthentication, startSession } from '../sessions/service.ts';
import {
  describeSignUpPolicy,
  recordSignUp,
  requireSignUp,
  sendCode,
  startSignUp,
  verifyCode,
} from '../sign-ups/service.ts';
import { closeAccount, removeAccount } from './remove-account.ts';
import { completeAccount, createAccountFrom, requireCreated } from './sign-up.ts';

const LIMIT: RateLimit = { name: 'sign-up-calls', points: 60, perSeconds: 60, scope: 'process' };

export function accountRoutes(http: Http, ctx: Context): void {
  http.add(contract.getSignUpPolicy, {
    summary: 'Says who may sign up, and whether an invite lets the visitor in',
    limit: LIMIT,
    handle: ({ body, address }) => describeSignUpPolicy(ctx, body.invite, address),
  });
  http.add(contract.startSignUp, {
    summary: 'Starts a sign-up and registers its password (OPAQUE)',
    limit: LIMIT,
    async handle({ body, address, setCookie }) {
      const { ticket, account, response } = await startSignUp(ctx, body, address);
      setCookie(contract.TICKET_COOKIE, ticket, contract.SIGN_UP_LIFETIME_MS);
      return { account, response };
    },
  });
  http.add(contract.recordSignUp, {
    summary: 'Stores the password record and the encrypted account key',
    limit: LIMIT,
    async handle({ body, caller }) {
      await recordSignUp(ctx, caller.ticket, body.record, body.wrap);
      return DONE;
    },
  });
  http.add(contract.getSignUp, {
    summary: 'Returns the sign-up of this browser',
    limit: LIMIT,
    async handle({ caller }) {
      const { account, email, verifiedAt, codeAt, identity } = await requireSignUp(ctx, caller.ticket);
      // A sign-up with Google sends no code and has a page of its own.
      if (identity) throw new AppError('no_sign_up');
      const resendAt = codeAt === null ? 0 : codeAt + contract.RESEND_AFTER_MS;
      return { account, email, isVerified: verifiedAt !== null, resendAt };
    },
  });
  http.add(contract.sendCode, {
    summary: 'Sends the sign-up code by email',
    limit: LIMIT,
    async handle({ body, caller, address }) {
      return { ...DONE, resendAt: await sendCode(ctx, caller.ticket, body.email, address) };
    },
  });
  http.add(contract.verifyCode, {
    summary: 'Verifies the email address with the code',
    limit: LIMIT,
    async handle({ body, caller }) {
      await verifyCode(ctx, caller.ticket, body.email, body.code);
      return DONE;
    },
  });
  http.add(contract.createAccount, {
    summary: 'Creates the account',
    limit: LIMIT,
    handle: ({ caller }) => createAccountFrom(ctx, caller.ticket),
  });
  http.add(contract.startFirstSession, {
    summary: 'Signs the new account in',
    limit: LIMIT,
    async handle({ caller, userAgent, readCookie, setCookie }) {
      const account = await requireCreated(ctx, caller.ticket);
      const started = await startSession(ctx, account, userAgent, { replaces: readCookie(SESSION_COOKIE) });
      const { token, lifetimeMs, device } = started;
      setCookie(SESSION_COOKIE, token, lifetimeMs);
      return { account, device };
    },
  });
  http.add(contract.verifyUser, {
    summary: 'Marks the email address as verified',
    limit: LIMIT,
    async handle({ body, caller }) {
      // A session does not prove that its owner reads the email account: only the ticket of a verified code does.
      requireSelf(caller, body.userId);
      if ('ticket' in caller) await markVerified(ctx, caller.account);
      return DONE;
    },
  });
  http.add(updateUser, {
    summary: 'Creates or changes the user document',
    limit: LIMIT,
    async handle({ body, caller }) {
      requireSelf(caller, body.documentId);
      await completeAccount(ctx, caller.account);
      await changeUser(ctx, caller.account, body.data);
      return requireUser(ctx, caller.account);
    },
  });
  http.add(contract.deleteUser, {
    summary: 'Deletes the account',
    limit: LIMIT,
    async handle({ body, caller }) {
      requireSelf(caller, body.userId);
      if ('ticket' in caller) await removeAccount(ctx, caller.account);
      else {
        await requireReauthentication(ctx, caller);
        await requireNoPriorCredentials(ctx, caller);
        await closeAccount(ctx, caller.account);
      }
      return DONE;
    },
  });
}
