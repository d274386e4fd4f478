/**
 * This browser has the keys of the account, and the app lock locks them. Never treat it as "no key": the caller would
 * make new keys in place of the locked ones.
 */
export class AppLocked extends Error {
  constructor() {
    super('the app is locked');
    this.name = 'AppLocked';
  }
}
