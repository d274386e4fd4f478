import type { Message } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';

/** Reactions to a group of messages; each person counts once per emoji. */
export function countReactions(messages: readonly Pick<Message, 'reactions'>[], me: AccountId) {
  const people = new Map<string, Set<AccountId>>();
  for (const { emoji, by } of messages.flatMap(({ reactions }) => reactions)) {
    people.set(emoji, new Set([...(people.get(emoji) ?? []), ...by]));
  }
  return Array.from(people, ([emoji, by]) => ({ emoji, count: by.size, isOwn: by.has(me) }));
}
