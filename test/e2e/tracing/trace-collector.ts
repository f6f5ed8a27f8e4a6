import { once } from 'node:events';
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it comes over the wire (OTLP, JSON form). */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 2 is a server's, 3 a client's. */
  readonly kind: number;
  /** 2 is an error. */
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What a collector was sent at once. */
export interface ReceivedExport {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. */
  readonly text: string;
  /** The attributes of the sender. */
  readonly resource: Readonly<Record<string, unknown>>;
  readonly spans: readonly ReceivedSpan[];
}

/** Stands in for a collector of OpenTelemetry: keeps what is sent to it. */
export class TraceCollector {
  readonly exports: ReceivedExport[] = [];

  private constructor(
    private readonly server: http.Server,
    readonly url: string,
  ) {}

  /** @param status what it answers with */
  static async start(status = 200): Promise<TraceCollector> {
    const server = http.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const collector = new TraceCollector(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        collector.exports.push({ path: request.url!, headers: request.headers, text, ...readExport(text) });
        response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
      });
    });
    return collector;
  }

  get spans(): readonly ReceivedSpan[] {
    return this.exports.flatMap(({ spans }) => spans);
  }

  /** Everything that it was sent, as text. */
  get text(): string {
    return this.exports.map(({ text }) => text).join('\n');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

interface WireAttribute {
  readonly key: string;
  readonly value: WireValue;
}

interface WireValue {
  readonly stringValue?: string;
  readonly intValue?: number;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly WireValue[] };
}

interface WireExport {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

type WireSpan = Omit<ReceivedSpan, 'attributes'> & { readonly attributes: readonly WireAttribute[] };

function readExport(text: string): Pick<ReceivedExport, 'resource' | 'spans'> {
  const { resourceSpans } = JSON.parse(text) as WireExport;
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  return {
    resource: attributesOf(resourceSpans[0]!.resource.attributes),
    spans: spans.map((span) => ({ ...span, attributes: attributesOf(span.attributes) })),
  };
}

function attributesOf(attributes: readonly WireAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf({ stringValue, intValue, doubleValue, boolValue, arrayValue }: WireValue): unknown {
  return stringValue ?? intValue ?? doubleValue ?? boolValue ?? arrayValue?.values.map(valueOf);
}
