export interface Change {
  /** Under apps/server/src or, for a client, packages/client/src. */
  file: string;
  phrase: string;
  replacement: string;
}

/** Read by `main.ts` beside this file, and by nobody else. */
export const SABOTAGE = 'SABOTAGE';
