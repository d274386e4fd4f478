/** What operator commands use of the Appwrite-compatible API. */
export { announce } from '../appwrite/push-targets/announce.ts';
