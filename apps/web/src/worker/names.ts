/** Names that the pages and the service worker share. */

/** Must never change: a browser looks for newer versions of the worker only at this address. */
export const workerAddress = '/service-worker.js';

/** The cache of the app's own files, which a sign-out keeps. A sign-out deletes all other caches. */
export const appCache = 'program';

/** The cache of file previews. */
export const previewCache = 'previews';

/** The cache of profile pictures. The browser's HTTP cache is not used, because a sign-out can't empty it. */
export const pictureCache = 'pictures';

/** The cache of the app's other files, each stored at its first use. */
export const assetCache = 'used';

/**
 * The shell has no path of its own; it is stored under the path of an impossible chat (usernames have 3 characters).
 */
export const shellAddress = '/contacts/_';

/** With this tag the browser wakes the worker when there is a network again. */
export const syncTag = 'outbox';

/** The tag of the notification for a test push. */
export const testTag = 'test';

/** The tag of the notification for a push that this version can't read. */
export const unknownTag = 'unknown';
