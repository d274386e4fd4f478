/**
 * Trace spans, across processes.
 *
 * Promise: nothing is measured, and no tracing library loaded, unless the operator named a collector (trace-exporter.ts).
 * Spans name steps of this program and never users: `TraceAttributes` lists every attribute, and each holds a word or a
 * number of this program. No id, address, body, SQL statement or error message fits into one.
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
/** The trace context that a span passes on, so that spans of other processes become its children. */
export type Carrier = Record<string, string>;

export interface Tracer {
  run<T>(
    name: string,
    traceAttributes: TraceAttributes,
    task: (note: AddAttributes) => Promise<T>,
    from?: Carrier,
  ): Promise<T>;
  /** A span that has ended. */
  record(name: string, traceAttributes: TraceAttributes, milliseconds: number): void;
  /** Of the current span; undefined without one, or if it is not sampled. */
  carry(): Carrier | undefined;
}

// One per process: the code between a call and its statements has no parameter for it.
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

/** A child of another process's span; without a carrier nothing is measured. */
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
