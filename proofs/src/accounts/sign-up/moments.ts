/** Environment variable and log prefix shared by the crashing server and the proof. */
export const DIES_AT = 'PROOF_DIES_AT';
export const MOMENT = 'moment ';
