import { createStore } from '../lib/store.ts';

/** Whether an app lock is set in this browser; the account menu then offers to lock the app. */
export const hasLock = createStore(false);
