/** What the pages and the service worker call the same. */

/** Fixed: a browser looks for the newest program of a site at the address where it found the first. */
export const workerAddress = '/service-worker.js';

/** The program itself, in no way somebody's: a sign-out leaves it. Everything else in the browser's cache goes. */
export const programCache = 'program';

/** Previews of files; contacts' pictures say themselves how long a browser keeps them. */
export const previewCache = 'previews';

/** Files of the program beyond what a start needs, each from its first use on. */
export const usedCache = 'used';

/** The shell has no address of its own; that of a chat which nobody can have stands for it. Names have three letters. */
export const shellAddress = '/contacts/_';

/** The browser wakes the worker by it when there is a network again. */
export const syncTag = 'outbox';

/** Of the notice that a test push shows. */
export const testTag = 'test';

/** Of the notice about a push that this version can't read. */
export const unknownTag = 'unknown';
