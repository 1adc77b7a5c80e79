import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { startTracing } from '@unified/tracing';

/** A span as OTLP contains it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[] }[];
}

/** Receives the spans of this process, as a collector does, by OTLP over HTTP in JSON. */
export interface TraceReceiver {
  /** All spans of a trace that have ended, each after its parent. */
  spansOf(traceId: string): Promise<readonly ReceivedSpan[]>;
  stop(): Promise<void>;
}

/** Registers an SDK that sends to a receiver on a free port, and starts tracing. Once per process. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const received: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans }: Export = JSON.parse(await text(request));
    received.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const exporter = new OTLPTraceExporter({ url: `http://127.0.0.1:${port}/v1/traces` });
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  provider.register();
  await startTracing();
  return {
    async spansOf(traceId) {
      await provider.forceFlush();
      return inOrder(received.filter((span) => span.traceId === traceId));
    },
    async stop() {
      await provider.shutdown();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Spans after their parents. */
function inOrder(spans: readonly ReceivedSpan[]): ReceivedSpan[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const below = (parent: ReceivedSpan): ReceivedSpan[] => [
    parent,
    ...spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId).flatMap(below),
  ];
  return spans.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId)).flatMap(below);
}

/** Names of spans, indented by their depth. */
export function treeOf(spans: readonly ReceivedSpan[]): string[] {
  const depths = new Map<string, number>();
  return spans.map(({ spanId, parentSpanId = '', name }) => {
    const depth = (depths.get(parentSpanId) ?? -1) + 1;
    depths.set(spanId, depth);
    return '  '.repeat(depth) + name;
  });
}
