import { AuthenticationFactor, AuthenticatorType } from 'appwrite';
import type { Account } from 'appwrite';
import { TOTP_STEP_MS, totpCode } from '@dostar/tools/totp';
import { expect, refused, same, signIn } from './fixture.ts';
import type { Assertion, Person, Fixture } from './fixture.ts';

const TOKEN = 'user_invalid_token';
const type = AuthenticatorType.Totp;
const { Totp, Recoverycode, Email } = AuthenticationFactor;

/** Codes of an authenticator app. Each belongs to a later time step than the last one, since no code works twice. */
function makeApp(secret: string): () => Promise<string> {
  let last = 0;
  return async () => {
    last = Math.max(last + 1, Math.floor(Date.now() / TOTP_STEP_MS));
    // The server accepts the next time step too; a third code in a row has to wait for its time.
    const tooEarlyMs = (last - 1) * TOTP_STEP_MS - Date.now();
    if (tooEarlyMs > 0) await new Promise((resolve) => setTimeout(resolve, tooEarlyMs));
    return totpCode(secret, last * TOTP_STEP_MS);
  };
}

/** A code that is not valid in the current time steps. */
function wrongCode(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((n) => totpCode(secret, Date.now() + n * TOTP_STEP_MS));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!;
}

interface Guarded {
  person: Person;
  secret: string;
  code: () => Promise<string>;
  paper: string[];
}

async function addGuarded(fixture: Fixture): Promise<Guarded> {
  const person = await fixture.addPerson();
  const { secret } = await person.account.createMFAAuthenticator({ type });
  const code = makeApp(secret);
  await person.account.updateMFAAuthenticator({ type, otp: await code() });
  const { recoveryCodes: paper } = await person.account.createMFARecoveryCodes();
  await person.account.updateMFA({ mfa: true });
  return { person, secret, code, paper };
}

async function give(account: Account, factor: AuthenticationFactor, otp: string) {
  const { $id: challengeId } = await account.createMFAChallenge({ factor });
  return account.updateMFAChallenge({ challengeId, otp });
}

export const FACTORS: Assertion[] = [
  {
    number: 31,
    async run(fixture) {
      const { account, email } = await fixture.addPerson();
      const { secret, uri } = await account.createMFAAuthenticator({ type });
      same(fixture.last().status, 200, 'status');
      expect(/^[A-Z2-7]{16,}$/.test(secret), 'a secret in base32');
      expect(uri.startsWith('otpauth://totp/') && decodeURIComponent(uri).includes(email), `an address: ${uri}`);
      await refused(() => account.updateMFAAuthenticator({ type, otp: wrongCode(secret) }), 401, TOKEN);
      const user = await account.updateMFAAuthenticator({ type, otp: await makeApp(secret)() });
      same(user.email, email, 'the user');
      await refused(() => account.createMFAAuthenticator({ type }), 409, 'user_authenticator_already_verified');
    },
  },
  {
    number: 32,
    async run(fixture) {
      const { account } = await fixture.addPerson();
      const { recoveryCodes } = await account.createMFARecoveryCodes();
      same([fixture.last().status, recoveryCodes.length, new Set(recoveryCodes).size], [201, 6, 6], 'codes');
      expect(
        recoveryCodes.every((code) => code.length === 10),
        'ten characters each',
      );
      await refused(() => account.createMFARecoveryCodes(), 409, 'user_recovery_codes_already_exists');
      await refused(() => account.getMFARecoveryCodes(), 401, 'user_challenge_required');
    },
  },
  {
    number: 33,
    async run(fixture) {
      const { person } = await addGuarded(fixture);
      same((await person.account.get()).mfa, true, 'the own session stays valid');
      const half = await signIn(fixture, person.email);
      await refused(() => half.get(), 401, 'user_more_factors_required');
      const factors = await half.listMFAFactors();
      same([factors.totp, factors.recoveryCode, factors.email, factors.phone], [true, true, false, false], 'factors');
    },
  },
  {
    number: 34,
    async run(fixture) {
      const { person, secret, code, paper } = await addGuarded(fixture);
      const half = await signIn(fixture, person.email);
      await refused(() => give(half, Totp, wrongCode(secret)), 401, TOKEN);
      const session = await give(half, Totp, await code());
      same(session.factors, ['password', 'totp'], 'factors');
      expect(Math.abs(Date.now() - Date.parse(session.mfaUpdatedAt)) < 60_000, 'when it was given');
      same((await half.get()).$id, person.user.$id, 'the account');
      const { recoveryCodes } = await half.getMFARecoveryCodes();
      same(recoveryCodes.toSorted(), paper.toSorted(), 'the recovery codes');
    },
  },
  {
    number: 35,
    async run(fixture) {
      const { person, paper } = await addGuarded(fixture);
      const half = await signIn(fixture, person.email);
      const session = await give(half, Recoverycode, paper[0]!);
      same(session.factors, ['password', 'recoveryCode'], 'factors');
      same((await half.get()).$id, person.user.$id, 'the account');
      const another = await signIn(fixture, person.email);
      await refused(() => give(another, Recoverycode, paper[0]!), 401, TOKEN);
      await another.deleteSession({ sessionId: 'current' });
      same(fixture.last().status, 204, 'half a session can be ended');
    },
  },
  {
    number: 36,
    async run(fixture) {
      const { account } = await fixture.addPerson();
      await refused(() => account.createMFAChallenge({ factor: Email }), 400, 'user_email_not_verified');
      const unknown = () => account.createMFAChallenge({ factor: 'smoke' as never });
      await refused(unknown, 400, 'general_argument_invalid');
    },
  },
];
