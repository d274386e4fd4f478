import { randomUUID } from 'node:crypto';
import { Email } from '@dostar/protocol/contract/accounts';
import { z } from 'zod';
import { findCompleteAccount } from '../features/identity/accounts/service.ts';
import { requireSignUp, startVerifiedSignUp } from '../features/identity/sign-ups/service.ts';
import { registerAssistant } from '../features/operations/assistants/service.ts';
import { define } from './command.ts';

const AccountCount = z.coerce.number().int().min(1).max(64);
/** Time to start the assistant with the ticket. */
const TICKET_LIFETIME_MS = 24 * 3_600_000;

export const assistantAccountCommands = [
  define({
    usage: 'amadeus EMAIL [COUNT]',
    help: 'prepare accounts for the assistant; prints number, address and sign-up ticket of each new one',
    args: z.tuple([Email, AccountCount]).or(z.tuple([Email]).transform(([email]): [string, number] => [email, 1])),
    audit: 'words',
    async run(ctx, [base, count]) {
      const tickets: string[] = [];
      for (let index = 0; index < count; index += 1) {
        const address = base.replace('@', `+${index}@`);
        if ((await findCompleteAccount(ctx, address)) !== undefined) continue;
        const identity = { issuer: 'assistant', subject: randomUUID() };
        const ticket = await startVerifiedSignUp(ctx, { email: address, locale: 'en', identity }, TICKET_LIFETIME_MS);
        const { account } = await requireSignUp(ctx, ticket);
        await registerAssistant(ctx, { index, account });
        tickets.push(`${index} ${address} ${ticket}`);
      }
      return tickets.join('\n');
    },
  }),
];
