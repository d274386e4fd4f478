/** A route or frame to fuzz, and one input for it. */
import type { Fixture } from './fixture-pool.ts';
import type { Request } from './wire.ts';

/** A valid request that mutations start from. */
export interface Base {
  method: string;
  /** Each segment is encoded into the path separately, so that a changed one stays one segment. */
  segments: string[];
  /** Indexes of the segments to change. */
  params: number[];
  query: [string, string][];
  headers: Record<string, string>;
  /** Undefined for no body. Bytes are sent unchanged, everything else as JSON. */
  body: unknown;
}

export interface Target {
  /** Method and path of the route. */
  name: string;
  /** Makes a valid request of a caller with access. */
  base: (fixture: Fixture) => Base;
}

export interface Input {
  /** Position in the run: together with the seed it determines the input. */
  index: number;
  request: Request;
  /** True if the caller's credentials and the HTTP syntax were left intact. */
  isAuthorized: boolean;
}
