import { Username } from '@dostar/protocol/contract/accounts';

/** Typed text as a username, without the @ that people often type. Undefined if it can't be a username. */
export function readUsername(typed: string): string | undefined {
  return Username.safeParse(typed.trim().replace(/^@/, '')).data;
}
