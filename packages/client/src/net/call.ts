import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import type { z } from 'zod';

/** Calls an endpoint for this account; throws AppError. */
export type Call = <E extends Endpoint>(endpoint: E, body: z.input<E['body']>) => Promise<z.output<E['reply']>>;
