import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { useEffect, useState } from 'react';
import { forgetOperatorInvite, readSignUpInvite } from '../../core/session/sign-up-invite.ts';

export interface SignUpPolicy {
  /** Why the visitor can't sign up, if they can't. */
  refusal: 'closed' | 'invite' | 'gone' | undefined;
  /** The domains of accepted email addresses; empty for all. */
  domains: readonly string[];
  /** The visitor's invite: `inviter` is null for one of the operator. */
  invite: { inviter: string | null } | null;
}

const address = '/api/auth/sign-up/policy';

/** Undefined until the server has answered: most servers let everyone sign up, so pages show the form meanwhile. */
export function useSignUpPolicy(): SignUpPolicy | undefined {
  const [policy, setPolicy] = useState<SignUpPolicy>();
  useEffect(() => {
    void fetchPolicy(readSignUpInvite()).then(setPolicy, () => undefined);
  }, []);
  return policy;
}

interface Answer {
  mode: 'open' | 'invite' | 'closed';
  domains: string[];
  invite: SignUpPolicy['invite'];
}

async function fetchPolicy(token: string | undefined): Promise<SignUpPolicy> {
  const reply = await fetch(address, {
    method: 'POST',
    headers: { [CALL_HEADER]: ANY_ACCOUNT, 'content-type': 'application/json' },
    body: JSON.stringify(token === undefined ? {} : { invite: token }),
  });
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  const { mode, domains, invite } = (await reply.json()) as Answer;
  const isGone = token !== undefined && invite === null;
  // A friend's invite may still hold, and is tried the next time.
  if (isGone) forgetOperatorInvite();
  const refusal = mode === 'open' || invite !== null ? undefined : isGone && mode === 'invite' ? 'gone' : mode;
  return { refusal, domains, invite };
}
