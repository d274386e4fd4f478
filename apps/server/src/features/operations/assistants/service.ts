/**
 * The operator's assistant: one name, several accounts. A person who searches for the name gets the same account each time,
 * and adding an account to the pool changes that for few.
 */
import { createHash } from 'node:crypto';
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { FoundUser } from '@dostar/protocol/contract/contacts';
import { ASSISTANT_NAME, ASSISTANT_TITLE } from '@dostar/protocol/product';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { setContact } from '../../people/contacts/service.ts';
import { listAssistantAccounts, putAssistantAccount } from './store.ts';
import type { AssistantAccount } from './store.ts';

/** How long the pool is cached: the operator rarely adds an account, and every contact lookup asks. */
const CACHE_MS = 10_000;

const pools = new WeakMap<Context['directory'], { at: number; assistants: Promise<AssistantAccount[]> }>();

async function listAssistants(ctx: Context): Promise<AssistantAccount[]> {
  const now = ctx.clock.now();
  const known = pools.get(ctx.directory);
  if (known && now - known.at < CACHE_MS) return known.assistants;
  const assistants = listAssistantAccounts(ctx.directory);
  pools.set(ctx.directory, { at: now, assistants });
  // A failure is not remembered.
  assistants.catch(() => pools.delete(ctx.directory));
  return assistants;
}

/** A cached absence is checked again: an account that signs up in the assistant's first seconds would never get it. */
async function listWithoutEmptyCache(ctx: Context): Promise<AssistantAccount[]> {
  const known = await listAssistants(ctx);
  if (known.length > 0) return known;
  pools.delete(ctx.directory);
  return listAssistants(ctx);
}

/** Undefined for any other name. */
export async function findAssistant(ctx: Context, name: string, asker: AccountId): Promise<AccountId | undefined> {
  if (name !== ASSISTANT_NAME) return undefined;
  const assistants = await listWithoutEmptyCache(ctx);
  return assistants.toSorted((one, other) => rank(other, asker).localeCompare(rank(one, asker)))[0]?.account;
}

function rank({ account }: AssistantAccount, asker: AccountId): string {
  return createHash('sha256').update(`${asker} ${account}`).digest('hex');
}

/** Makes the assistant a contact of a new account. The assistant is notified and writes first. */
export async function addAssistantContact(ctx: Context, account: AccountId): Promise<void> {
  const assistant = await findAssistant(ctx, ASSISTANT_NAME, account);
  if (assistant === undefined || (await isAssistant(ctx, account))) return;
  await setContact(ctx, account, assistant, 'accepted');
  await setContact(ctx, assistant, account, 'accepted');
}

/** Labels of accounts beside their cards: which are assistants and, for an assistant, the language of each contact. */
export async function listLabels(
  ctx: Context,
  viewer: AccountId,
): Promise<(id: AccountId, card: { locale: string } | undefined) => Partial<FoundUser>> {
  const assistants = new Set((await listAssistants(ctx)).map(({ account }) => account));
  return (id, card) => {
    if (assistants.has(id)) return { username: ASSISTANT_NAME, name: ASSISTANT_TITLE, isAssistant: true };
    return assistants.has(viewer) && card ? { locale: card.locale as Locale } : {};
  };
}

async function isAssistant(ctx: Context, account: AccountId): Promise<boolean> {
  return (await listAssistants(ctx)).some((assistant) => assistant.account === account);
}

/** Adds an account to the pool. It is used once its sign-up is complete. */
export async function registerAssistant(ctx: Context, assistant: AssistantAccount): Promise<void> {
  await putAssistantAccount(ctx.directory, assistant, ctx.clock.now());
}
