import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';

/** What a receiver says that it did not keep. */
export interface PartialSuccess {
  readonly rejectedSpans: number;
  readonly errorMessage: string;
}

/** What an answer to a trace request says in protobuf (ExportTraceServiceResponse); undefined where it says nothing of it, or is none. */
export function partialSuccessInProtobuf(body: Buffer): PartialSuccess | undefined {
  try {
    const { partialSuccess } = ProtobufTraceSerializer.deserializeResponse(body);
    if (partialSuccess === undefined) return undefined;
    const { rejectedSpans, errorMessage } = partialSuccess;
    return { rejectedSpans: rejectedSpans ?? 0, errorMessage: errorMessage ?? '' };
  } catch {
    // Receivers write what they like into an answer that says that all is well.
    return undefined;
  }
}
