import { appwriteAccountHooks } from '../appwrite/account-hooks.ts';
import type { AccountHooks } from '../context.ts';

/** Run in this order, in every process: accounts change in all roles and in operator commands. */
export const accountHooks: readonly AccountHooks[] = [appwriteAccountHooks];
