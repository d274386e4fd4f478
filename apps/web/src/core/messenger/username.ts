import { Username } from '@dostar/protocol/contract/accounts';

/** Typed text as a username: without the @ it is often written with. Undefined if it can't be one. */
export function readUsername(typed: string): string | undefined {
  return Username.safeParse(typed.trim().replace(/^@/, '')).data;
}
