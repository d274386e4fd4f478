/** Environment variable with the changes that `main.ts` beside this file makes to the server's source. */
export const SABOTAGE = 'SABOTAGE';
