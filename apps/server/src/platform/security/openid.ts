/**
 * Sign-in with an OpenID provider.
 *
 * Promise: a completed sign-in began in the same browser (state), with the same request (PKCE), and the provider's token was
 * issued for that request alone (nonce).
 */
import * as library from 'openid-client';

/** What the browser keeps, sealed, while its owner is at the provider. */
interface OpenIdFlow {
  state: string;
  nonce: string;
  verifier: string;
}

/** The user, as the provider identifies them. */
interface OpenIdPerson {
  issuer: string;
  subject: string;
  /** Undefined where the provider has not checked that it is theirs. */
  email: string | undefined;
  /** When the provider authenticated them; undefined if it does not say. */
  authenticatedAt: number | undefined;
}

export interface OpenId {
  begin(returnUrl: string): Promise<{ url: string; flow: OpenIdFlow }>;
  /** Throws for anything that is not an answer to `flow`, and for a person who said no. */
  finish(answeredUrl: URL, flow: OpenIdFlow): Promise<OpenIdPerson>;
}

interface OpenIdOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

const TIMEOUT_SECONDS = 10;
/** A provider that knows it authenticates the person again after that, and says when. Google promises neither. */
const MAX_AGE_SECONDS = 600;

export function createOpenId({ issuer, clientId, clientSecret }: OpenIdOptions): OpenId {
  let known: Promise<library.Configuration> | undefined;

  /** Asked for when first needed: a provider that is down must not keep the server from starting. */
  function discover(): Promise<library.Configuration> {
    known ??= library
      .discovery(new URL(issuer), clientId, clientSecret, library.ClientSecretPost(clientSecret), {
        timeout: TIMEOUT_SECONDS,
        execute: [
          // The library otherwise relies on TLS alone and does not check the signature of the token.
          library.enableNonRepudiationChecks,
          ...(isLocalIssuer(issuer) ? [library.allowInsecureRequests] : []),
        ],
      })
      .catch((error: unknown) => {
        known = undefined;
        throw error;
      });
    return known;
  }

  return {
    async begin(returnUrl) {
      const config = await discover();
      const flow = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      };
      const url = library.buildAuthorizationUrl(config, {
        redirect_uri: returnUrl,
        scope: 'openid email',
        state: flow.state,
        nonce: flow.nonce,
        max_age: String(MAX_AGE_SECONDS),
        code_challenge: await library.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, flow };
    },

    async finish(answeredUrl, { state, nonce, verifier }) {
      const config = await discover();
      const tokens = await library.authorizationCodeGrant(config, answeredUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
      });
      const token = tokens.claims();
      if (!token) throw new Error('the provider gave no token');
      // Google says it in the token; others only when asked.
      const said = token['email'] === undefined ? await ask(config, tokens.access_token, token.sub) : token;
      const { email, email_verified: isVerified } = said as { email?: unknown; email_verified?: unknown };
      return {
        issuer: token.iss,
        subject: token.sub,
        email: typeof email === 'string' && isVerified === true ? email : undefined,
        authenticatedAt: token.auth_time === undefined ? undefined : token.auth_time * 1000,
      };
    },
  };
}

async function ask(config: library.Configuration, accessToken: string, subject: string): Promise<object> {
  const { userinfo_endpoint: endpoint } = config.serverMetadata();
  return endpoint === undefined ? {} : library.fetchUserInfo(config, accessToken, subject);
}

/** Without TLS only to ourselves. */
function isLocalIssuer(issuer: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(issuer).hostname);
}
