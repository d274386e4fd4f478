/**
 * Where time goes, across processes: named stretches that know which one they are part of.
 *
 * Promise: nothing is measured, and no library of it loaded, unless the operator named a place to send it to
 * (open-tracing.ts). What is sent names steps of ours and never persons: the notes below are all there are, and each
 * holds a word or a number of this program. No id, address, body, statement or error's message fits anywhere.
 */
import { AppError } from '@dostar/protocol/errors';

export interface TraceAttributes {
  /** As declared, with names where ids would be. */
  route?: string;
  method?: string;
  status?: number;
  /** A code of ours, or the class of an error. */
  error?: string;
  database?: string;
  statement?: string;
  shard?: number;
  size?: number;
  /** The first token of a subject; the rest may contain an account id. */
  subject?: string;
  kind?: string;
  service?: string;
  outcome?: string;
}

export type AddAttributes = (traceAttributes: TraceAttributes) => void;
/** What a stretch gives along, so that what follows from it elsewhere is known as its part. */
export type Carrier = Record<string, string>;

export interface Tracer {
  run<T>(
    name: string,
    traceAttributes: TraceAttributes,
    task: (note: AddAttributes) => Promise<T>,
    from?: Carrier,
  ): Promise<T>;
  /** A stretch that is over. */
  record(name: string, traceAttributes: TraceAttributes, milliseconds: number): void;
  /** Of the stretch under way; undefined where none is, or where this one is not among those that are sent. */
  carry(): Carrier | undefined;
}

// One per process, like what it stands for: the way from a call to its statements leads through code that knows neither.
let tracer: Tracer | undefined;

export function setTracer(given: Tracer | undefined): void {
  tracer = given;
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

const ignore: AddAttributes = () => {};

export function trace<T>(
  name: string,
  traceAttributes: TraceAttributes,
  task: (note: AddAttributes) => Promise<T>,
): Promise<T> {
  return tracer === undefined ? task(ignore) : tracer.run(name, traceAttributes, task);
}

/** The part of a stretch of another process, if it came with one; otherwise nothing is measured. */
export function continueTrace<T>(
  from: Carrier | undefined,
  name: string,
  traceAttributes: TraceAttributes,
  task: () => Promise<T>,
): Promise<T> {
  return tracer === undefined || from === undefined ? task() : tracer.run(name, traceAttributes, task, from);
}

export function recordSpan(name: string, traceAttributes: TraceAttributes, milliseconds: number): void {
  tracer?.record(name, traceAttributes, milliseconds);
}

export function currentTraceCarrier(): Carrier | undefined {
  return tracer?.carry();
}

/** Never the message, which may contain user data. */
export function nameError(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.constructor.name : 'unknown';
}
