/** What the pages and the service worker call the same. */

/** Fixed: a browser looks for the newest program of a site at the address where it found the first. */
export const workerAddress = '/service-worker.js';

/** The program itself, without user data: a sign-out leaves it. Everything else in the browser's cache is deleted. */
export const appCache = 'program';

/** Previews of files. */
export const previewCache = 'previews';

/** Pictures of profiles: the browser's own HTTP cache would keep them after a sign-out. */
export const pictureCache = 'pictures';

/** Files of the program beyond what a start needs, each from its first use on. */
export const assetCache = 'used';

/** The shell has no address of its own; that of an impossible chat stands for it. Names have three characters. */
export const shellAddress = '/contacts/_';

/** The browser wakes the worker by it when there is a network again. */
export const syncTag = 'outbox';

/** Of the notification that a test push shows. */
export const testTag = 'test';

/** Of the notification about a push that this version can't read. */
export const unknownTag = 'unknown';
