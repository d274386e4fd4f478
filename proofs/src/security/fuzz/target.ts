/** What can be fuzzed, and what one input of it is. */
import type { Fixture } from './fixture-pool.ts';
import type { Request } from './wire.ts';

/** A valid request, before anything is changed. */
export interface Base {
  method: string;
  /** Each part is written into the path by itself, so that a changed one stays one part. */
  segments: string[];
  /** Which segments are input. */
  params: number[];
  query: [string, string][];
  headers: Record<string, string>;
  /** Undefined: none. Bytes are sent as they are; everything else as JSON. */
  body: unknown;
}

export interface Target {
  /** Method and path of the route. */
  name: string;
  /** As a caller who may call it. */
  base: (fixture: Fixture) => Base;
}

export interface Input {
  /** In the order of the run: with the seed, it says what the input is. */
  index: number;
  request: Request;
  /** From a caller who may call the route, and whole as HTTP. */
  isAuthorized: boolean;
}
