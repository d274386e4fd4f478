/** What the doomed server and the proof say to each other. */
export const DIES_AT = 'PROOF_DIES_AT';
export const MOMENT = 'moment ';
