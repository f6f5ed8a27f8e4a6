import type { DestinationConfig } from '../../config-mask.js';
import type { DestinationType } from '../../destination-settings.js';
import type { BatchLimits, BodyEncoding } from '../destination-adapter.js';
import type { EventContent, GenerationEvent } from '../generation-event.js';
import type { AttributeRecord, Attributes, ValueLimits } from '../otlp/attributes.js';
import type { TraceFields } from '../trace-fields.js';

/** A generation, read for the attributes of its spans. */
export interface DescribedGeneration {
  readonly event: GenerationEvent;
  readonly trace: TraceFields;
  /** Null where the destination gets none. */
  readonly content: EventContent | null;
  readonly config: DestinationConfig;
  /** Of the generation's own span. */
  readonly attributes: Attributes;
  /** Of the service. */
  readonly resource: Attributes;
}

/** What a type that takes OTLP over HTTP needs. */
export interface OtlpType {
  readonly type: DestinationType;
  readonly limits: BatchLimits;
  readonly values: ValueLimits;
  /** The only encoding that the type reads; undefined where it reads both. */
  readonly encoding?: BodyEncoding;
  /** How often the content is in a body. */
  readonly copies: number;
  readonly isCompressed: boolean;
  /** Whether `gen_ai.usage.*_cost` is sent. */
  readonly hasCosts: boolean;
  /** Attributes by which the type knows that a span within a generation is none; absent where it needs none for that. */
  readonly inner?: AttributeRecord;
  /** Where it is sent, and where next if nothing is found there. */
  urls(config: DestinationConfig): readonly string[];
  /** By names in lower case. */
  headers(config: DestinationConfig): Readonly<Record<string, string>>;
  /** Adds what only this type reads, content included. */
  describe(generation: DescribedGeneration): void;
}
