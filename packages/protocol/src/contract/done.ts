import { z } from 'zod';

/** The answer of calls that have nothing to tell but that it is done. */
export const Done = z.object({ success: z.literal(true) });
export const DONE = { success: true } as const;
