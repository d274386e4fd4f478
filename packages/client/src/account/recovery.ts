/** A forgotten password, without UI: the email, the link, the new password. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import * as emails from '@dostar/protocol/contract/emails';
import * as links from '@dostar/protocol/contract/email-links';
import * as contract from '@dostar/protocol/contract/recovery';
import type { z } from 'zod';
import { type CallDeps, createCall } from './call.ts';
import type { OpaqueClient } from './opaque.ts';

export interface Recovery {
  /** Requests the email. */
  ask(email: string, locale: Locale): Promise<void>;
  /** Returns the purpose of an email link. Throws `link_used` or `link_expired`. */
  look(token: string): Promise<z.infer<typeof links.getEmailLink.reply>>;
  /** Sets the new password. Returns the email address to sign in with. */
  reset(token: string, password: string): Promise<string>;
  /** Confirms a change of email address. */
  confirm(token: string): Promise<z.infer<typeof emails.confirmEmailChange.reply>>;
}

export function createRecovery({ opaque, ...deps }: CallDeps & { opaque: OpaqueClient }): Recovery {
  const call = createCall(deps);
  return {
    async ask(email, locale) {
      await call(contract.requestPasswordReset, { email, locale });
    },
    look: (token) => call(links.getEmailLink, { token }),
    async reset(token, password) {
      const { state, request } = await opaque.startRegistration(password);
      const { response, setup } = await call(contract.startPasswordReset, { token, request });
      // The new password's key unwraps nothing yet: the next sign-in stores it until there is an account key to wrap.
      const { record } = await opaque.finishRegistration(password, state, response);
      return (await call(contract.finishPasswordReset, { token, record, ...(setup !== undefined && { setup }) })).email;
    },
    confirm: (token) => call(emails.confirmEmailChange, { token }),
  };
}
