/** Claims, by the kinds under which their checks are counted. */
export const CLAIMS = {
  error: 'no answer is a server error',
  answer: 'every complete request is answered',
  socket: 'no socket is closed for an internal error',
  process: 'no process ends',
  cpu: 'no input costs more than 10 times the CPU time of its route’s median, or of parsing it',
  stall: 'no event loop is blocked for more than 100 ms',
  memory: 'memory at the end is at most 1.2 times that after a tenth',
  secret: 'no log line holds text of a request',
  unexpected: 'no log line reports an unexpected error',
  valid: 'every route takes a valid input, or the list says why it can not',
  reached: 'a third of the inputs or more reach their handler',
} as const;

export const MAX_COST = 10;
export const MAX_STALL_MS = 100;
export const MAX_GROWTH = 1.2;
export const LEAST_REACHED = 1 / 3;
