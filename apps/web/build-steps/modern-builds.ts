/** By its plain name a browser gets Dexie for browsers of 2015, which weighs two kilobytes more. */
export const modernBuilds = [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' }];
