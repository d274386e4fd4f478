import { z } from 'zod';

/** The answer of calls that only report success. */
export const Done = z.object({ success: z.literal(true) });
export const DONE = { success: true } as const;
