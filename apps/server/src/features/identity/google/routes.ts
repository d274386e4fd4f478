import { TICKET_COOKIE, SIGN_UP_LIFETIME_MS } from '@dostar/protocol/contract/accounts';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { DONE } from '@dostar/protocol/contract/done';
import * as contract from '@dostar/protocol/contract/google';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { requireSignUp, startVerifiedSignUpPassword } from '../sign-ups/service.ts';
import { startSignInSession } from '../second-factors/service.ts';
import { requireReauthentication } from '../sessions/service.ts';
import { completeSignIn, FLOW_LIFETIME_MS, linkIdentity, openFlow, startFlow } from './service.ts';

const LIMIT: RateLimit = { name: 'google-calls', points: 60, perSeconds: 60, scope: 'process' };

const SUCCESS = '/google-register-success';
const FAILURE = '/login-failed';
/** Google is one factor. An account with second factors asks for one here first. */
const SECOND_STEP = '/second-step';

type Query = Record<string, string> | '' | undefined;

export function googleRoutes(http: Http, ctx: Context): void {
  const returnUrl = `${ctx.redirectBaseUrl}${contract.GOOGLE_RETURN_PATH}`;

  http.add(contract.getGoogle, {
    summary: 'Says whether this server offers Google sign-in',
    limit: LIMIT,
    handle: async () => ({ isOn: ctx.google !== undefined }),
  });
  http.add(contract.startGoogle, {
    summary: 'Starts sign-in with Google',
    limit: LIMIT,
    async handle({ body, address, setCookie }) {
      const { url, sealed } = await startFlow(ctx, body, returnUrl, address);
      setCookie(contract.GOOGLE_COOKIE, sealed, FLOW_LIFETIME_MS);
      return { url };
    },
  });
  http.addPage(contract.GOOGLE_RETURN_PATH, {
    summary: 'Takes the browser back from Google',
    limit: LIMIT,
    fallback: ctx.redirectBaseUrl + FAILURE,
    async handle({ query, readCookie, setCookie, userAgent }) {
      const note = (outcome: 'success' | 'failure', about: { reason?: string; account?: string } = {}) =>
        ctx.security.note({ event: 'sign_in', method: 'google', outcome, ...about });
      const flow = openFlow(ctx, readCookie(contract.GOOGLE_COOKIE));
      if (!flow) {
        note('failure', { reason: 'no_flow' });
        return ctx.redirectBaseUrl + FAILURE;
      }
      setCookie(contract.GOOGLE_COOKIE, undefined);
      const signIn = await completeSignIn(ctx, flow, new URL(`${returnUrl}?${query.toString()}`));
      switch (signIn.kind) {
        case 'known': {
          const replaces = readCookie(SESSION_COOKIE);
          const { account, provenAt } = signIn;
          const opened = await startSignInSession(ctx, account, userAgent, { replaces, provenAt }).catch(
            ignoreDisabled,
          );
          note(opened ? 'success' : 'failure', { account, ...(!opened && { reason: 'account_disabled' }) });
          if (!opened) return pageOf(ctx, flow.locale, FAILURE, { reason: 'disabled' });
          const { token, lifetimeMs, owes } = opened;
          setCookie(SESSION_COOKIE, token, lifetimeMs);
          // A sign-up that this browser began earlier would take precedence over the session.
          setCookie(TICKET_COOKIE, undefined);
          const onward = flow.next && { next: flow.next };
          if (owes.length === 0) return pageOf(ctx, flow.locale, SUCCESS, onward);
          // After it, the page where the password decrypts the messages.
          return pageOf(ctx, flow.locale, SECOND_STEP, { next: SUCCESS + toSearch(onward) });
        }
        case 'new':
          setCookie(TICKET_COOKIE, signIn.ticket, SIGN_UP_LIFETIME_MS);
          return pageOf(ctx, flow.locale, SUCCESS);
        case 'refused':
          note('failure', { reason: signIn.reason });
          return pageOf(ctx, flow.locale, FAILURE, { reason: signIn.reason });
        case 'failed':
          note('failure', { reason: 'provider' });
          return pageOf(ctx, flow.locale, FAILURE);
        case 'unconfirmed':
          note('failure', { reason: 'email_unverified' });
          return pageOf(ctx, flow.locale, FAILURE, { reason: 'unconfirmed' });
      }
    },
  });
  http.add(contract.getGoogleSignUp, {
    summary: 'Returns the sign-up that came from Google',
    limit: LIMIT,
    async handle({ caller }) {
      const { account, email, identity, holder } = await requireSignUp(ctx, caller.ticket);
      if (!identity) throw new AppError('no_sign_up');
      return { account, email, isTaken: holder !== undefined };
    },
  });
  http.add(contract.startGooglePassword, {
    summary: 'Registers the password of an account that came from Google',
    limit: LIMIT,
    async handle({ body, caller }) {
      const signUp = await requireSignUp(ctx, caller.ticket);
      if (!signUp.identity) throw new AppError('no_sign_up');
      return { response: await startVerifiedSignUpPassword(ctx, signUp, body.request) };
    },
  });
  http.add(contract.linkGoogle, {
    summary: 'Links Google to the account',
    limit: LIMIT,
    async handle({ caller, readCookie, setCookie }) {
      await requireReauthentication(ctx, caller);
      await linkIdentity(ctx, readCookie(TICKET_COOKIE), caller.account);
      setCookie(TICKET_COOKIE, undefined);
      return DONE;
    },
  });
}

/** The browser shows a page, not an error code. */
function ignoreDisabled(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'account_disabled') return undefined;
  throw error;
}

function pageOf(ctx: Context, locale: Locale, path: string, query?: Query): string {
  const prefix = locale === 'en' ? '' : `/${locale}`;
  return ctx.redirectBaseUrl + prefix + path + toSearch(query);
}

function toSearch(query: Query): string {
  return query ? `?${new URLSearchParams(query).toString()}` : '';
}
