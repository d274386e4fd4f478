import { createStore } from '../lib/store.ts';

/** Whether an app lock is set in this browser; the account menu offers to lock then. */
export const hasLock = createStore(false);
