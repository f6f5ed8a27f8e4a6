import protobuf from 'protobufjs';

/** The messages of a trace request, by the numbers of opentelemetry-proto 1.x, written apart from what encodes them. */
const MESSAGES = `
syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
message Scope { string name = 1; string version = 2; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
  repeated Event events = 11; Status status = 15;
}
message Event { fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; }
message Status { string message = 2; int32 code = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value {
    string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; ArrayValue array_value = 5;
  }
}
message ArrayValue { repeated AnyValue values = 1; }
`;

const REQUEST = protobuf.parse(MESSAGES).root.lookupType('Request');

/** A span of a request, ids in hexadecimal and times as decimal text, whatever the encoding was. */
export interface DecodedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, never> }[];
  readonly events: readonly {
    readonly name: string;
    readonly timeUnixNano: string;
    readonly attributes: DecodedSpan['attributes'];
  }[];
  readonly status: { readonly code: number; readonly message?: string };
}

/** A trace request. */
export interface DecodedRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: DecodedSpan['attributes'] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string };
      readonly spans: readonly DecodedSpan[];
    }[];
  }[];
}

/** Reads a body by the messages' definition. */
export function decodedProtobuf(body: Buffer): DecodedRequest {
  const plain = REQUEST.toObject(REQUEST.decode(body), { longs: String, bytes: Buffer, arrays: true });
  return JSON.parse(
    JSON.stringify(plain, (_, value: unknown) => {
      const bytes = value as { readonly type?: string; readonly data?: number[] } | null;
      return bytes?.type === 'Buffer' ? Buffer.from(bytes.data!).toString('hex') : value;
    }),
  ) as DecodedRequest;
}

/** Reads a body as JSON. */
export function decodedJson(body: Buffer): DecodedRequest {
  return JSON.parse(body.toString()) as DecodedRequest;
}

/** The spans of a request in the order in which they are written. */
export function spansIn(request: DecodedRequest): DecodedSpan[] {
  return request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}
