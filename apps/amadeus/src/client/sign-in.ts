/**
 * Signs in to the assistant account: by the session of an earlier run, by the password, or, the first time, by the
 * operator's ticket. A crash at any point is safe: the next run continues.
 */
import { readFile, rm } from 'node:fs/promises';
import { type AuthDeps, createAuth } from '@dostar/client/auth';
import { createGoogleAuth } from '@dostar/client/google';
import { TICKET_COOKIE } from '@dostar/protocol/contract/accounts';
import type { AccountId } from '@dostar/protocol/ids';
import type { Transport } from './transport.ts';

interface SignInOptions {
  deps: AuthDeps;
  transport: Transport;
  email: string;
  password: string;
  /** The path at which the operator puts the ticket. */
  ticketPath: string;
}

export async function signIn({ deps, transport, email, password, ticketPath }: SignInOptions): Promise<AccountId> {
  // An assistant has no passkey.
  const googleAuth = createGoogleAuth({
    ...deps,
    authenticator: { create: async () => undefined, get: async () => undefined },
  });
  const known = await googleAuth.findAccount();
  if (known !== undefined && known !== 'factor_required' && (await deps.keys.get(known)) !== undefined) return known;
  const ticket = await readTicket(ticketPath);
  if (ticket !== undefined) {
    await transport.setCookie(TICKET_COOKIE, ticket);
    const signUp = await googleAuth.findSignUp();
    if (signUp !== undefined && !signUp.isTaken) {
      const account = await googleAuth.completeSignUp(signUp.account, password);
      await rm(ticketPath);
      return account;
    }
    // An earlier run used the ticket and was stopped before it could delete the file.
    await rm(ticketPath);
  }
  const { account, owes } = await createAuth(deps).signIn(email, password);
  if (owes.length > 0) throw new Error('the account of an assistant must not have a second factor');
  return account;
}

async function readTicket(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
