import type { Span as ApiSpan, Attributes, ProxyTracerProvider, SpanKind, SpanStatusCode } from '@opentelemetry/api';

type Api = typeof import('@opentelemetry/api');

/** Where OpenTelemetry keeps what an SDK has registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/** Undefined until `startTracing` has found an SDK: then spans cost nothing. */
let api: Api | undefined;

/** Creates spans from now on, if an OpenTelemetry SDK is registered in this process. Returns whether one is. */
export async function startTracing(): Promise<boolean> {
  const registered = (globalThis as { [REGISTERED]?: { readonly trace?: unknown } })[REGISTERED];
  if (registered?.trace) api = await import('@opentelemetry/api');
  return api !== undefined;
}

/** Waits until the SDK has sent the spans that have ended. Rejects if it cannot. */
export async function flushTraces(): Promise<void> {
  const provider = api?.trace.getTracerProvider();
  // The API has no flush; an SDK that is registered is behind a proxy.
  const sdk = (provider as Partial<ProxyTracerProvider> | undefined)?.getDelegate?.() ?? provider;
  await (sdk as { forceFlush?(): Promise<void> } | undefined)?.forceFlush?.();
}

/** A part of a trace that is in progress. */
export interface Span {
  set(attributes: Attributes): void;
  /** Marks it as failed. `reason` is a code or a class of errors, never a message, which may contain data of customers. */
  fail(reason: string): void;
}

export interface SpanOptions {
  /** What it is for its parent: `server` and `consumer` continue the trace of another process, `client` calls one. */
  readonly kind?: 'server' | 'client' | 'consumer' | 'internal';
  readonly attributes?: Attributes;
  /** The span that it belongs to, as `traceparent` of W3C Trace Context; by default the current one of this process. */
  readonly parent?: string | undefined;
}

const UNTRACED: Span = { set: () => {}, fail: () => {} };

/** Runs `work` in a span, which fails if it rejects. Without an SDK, only runs it. */
export async function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  if (!api) return work(UNTRACED);
  const { context, propagation, ROOT_CONTEXT, SpanStatusCode, trace } = api;
  const { kind = 'internal', attributes = {}, parent } = options;
  const from = parent === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, { traceparent: parent });
  const begun = trace.getTracer('unified').startSpan(name, { kind: kindOf(api, kind), attributes }, from);
  const span: Span = {
    set: (more) => void begun.setAttributes(more),
    fail: (reason) => failSpan(begun, reason, SpanStatusCode.ERROR),
  };
  return context.with(trace.setSpan(from, begun), async () => {
    try {
      return await work(span);
    } catch (error) {
      span.fail(reasonOf(error));
      throw error;
    } finally {
      begun.end();
    }
  });
}

/** Marks the current span as failed; `reason` as in `Span.fail`. */
export function failCurrentSpan(reason: string): void {
  const span = api?.trace.getActiveSpan();
  if (api && span) failSpan(span, reason, api.SpanStatusCode.ERROR);
}

function failSpan(span: ApiSpan, reason: string, code: SpanStatusCode): void {
  span.setStatus({ code, message: reason });
  span.setAttribute('error.type', reason);
}

/** Headers that continue the current trace in another process; none without an SDK. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  api?.propagation.inject(api.context.active(), headers);
  return headers;
}

/** The current span, to continue its trace later; undefined without an SDK. */
export function currentTraceparent(): string | undefined {
  return traceHeaders().traceparent;
}

function kindOf({ SpanKind }: Api, kind: NonNullable<SpanOptions['kind']>): SpanKind {
  return {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    consumer: SpanKind.CONSUMER,
    internal: SpanKind.INTERNAL,
  }[kind];
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  const { code, kind, name } = error as Error & { readonly code?: unknown; readonly kind?: unknown };
  return [code, kind].find((each) => typeof each === 'string') ?? name;
}
