/** Sends spans (tracing.ts) to a collector that speaks OTLP over HTTP. Loaded only if the operator named one. */
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, Span, Tracer as OtelTracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { nameError, setTracer } from './tracing.ts';
import type { Carrier, AddAttributes, TraceAttributes, Tracer } from './tracing.ts';

/** A collector that is down costs this much memory at most, and no call waits for it. */
const MAX_WAITING = 4_096;
const SEND_EVERY_MS = 2_000;
const SEND_TIMEOUT_MS = 5_000;

export interface TracingOptions {
  url: string;
  /** The share of traces that begin here; child spans follow their parent. */
  share: number;
  roles: readonly string[];
}

export function openTracing({ url, share, roles }: TracingOptions): AsyncDisposable {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: SEND_TIMEOUT_MS });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'dostar', 'dostar.roles': roles.join(',') }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, { maxQueueSize: MAX_WAITING, scheduledDelayMillis: SEND_EVERY_MS }),
    ],
  });
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  setTracer(new SendingTracer(provider.getTracer('dostar')));
  return {
    async [Symbol.asyncDispose]() {
      setTracer(undefined);
      await provider.shutdown();
      manager.disable();
      context.disable();
      propagation.disable();
    },
  };
}

class SendingTracer implements Tracer {
  readonly #tracer: OtelTracer;

  constructor(tracer: OtelTracer) {
    this.#tracer = tracer;
  }

  async run<T>(
    name: string,
    traceAttributes: TraceAttributes,
    task: (note: AddAttributes) => Promise<T>,
    from?: Carrier,
  ): Promise<T> {
    const parent = from === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, from);
    const span = this.#begin(name, traceAttributes, parent);
    try {
      return await context.with(trace.setSpan(parent, span), () =>
        task((more) => void span.setAttributes(rename(more))),
      );
    } catch (error) {
      span.setAttributes(rename({ error: nameError(error) }));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  record(name: string, traceAttributes: TraceAttributes, milliseconds: number): void {
    // Without a current span it would become a trace of its own.
    if (trace.getSpan(context.active()) === undefined) return;
    const now = Date.now();
    this.#begin(name, traceAttributes, context.active(), now - milliseconds).end(now);
  }

  carry(): Carrier | undefined {
    const span = trace.getSpan(context.active());
    if (!span?.isRecording()) return undefined;
    const carrier: Carrier = {};
    propagation.inject(context.active(), carrier);
    return carrier;
  }

  #begin(name: string, traceAttributes: TraceAttributes, parent: Context, startTime?: number): Span {
    const kind = SpanKind.INTERNAL;
    return this.#tracer.startSpan(
      name,
      { kind, attributes: rename(traceAttributes), ...(startTime && { startTime }) },
      parent,
    );
  }
}

function rename(traceAttributes: TraceAttributes): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(traceAttributes).map(([key, value]) => [`dostar.${key}`, value as string | number]),
  );
}
