/** Dexie's default export for browsers is a build for browsers of 2015, two kilobytes larger. */
export const modernBuilds = [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' }];
