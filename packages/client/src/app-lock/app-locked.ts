/**
 * The keys of this account are here, and the app lock keeps them closed. Never the same as "no key": a caller that took
 * one for the other would make new keys in place of those that are locked.
 */
export class AppLocked extends Error {
  constructor() {
    super('the app is locked');
    this.name = 'AppLocked';
  }
}
