import type { DestinationConfig } from '../../config-mask.js';
import type { BodyEncoding } from '../destination-adapter.js';
import { fittingBody, isShortened, type Shortening } from '../fitting-body.js';
import type { OutgoingGeneration } from '../generation-event.js';
import type { ValueLimits } from '../otlp/attributes.js';
import { encodeSpans, TRACE_REQUEST } from '../otlp/encode-spans.js';
import { generationAttributesOf, setContentDropped } from '../otlp/generation-attributes.js';
import { generationSpansOf } from '../otlp/generation-spans.js';
import { Attributes } from '../otlp/attributes.js';
import type { GenerationSpans } from '../otlp/span.js';
import { shownContentOf } from '../shown-content.js';
import { traceFieldsOf } from '../trace-fields.js';
import type { OtlpType } from './otlp-type.js';

/**
 * Writes generations as a trace request of OTLP for a type. It is a function of its parameters alone.
 *
 * @returns null where they are larger than a request to the type may be
 */
export async function otlpBodyOf(
  otlp: OtlpType,
  generations: readonly OutgoingGeneration[],
  config: DestinationConfig,
  encoding: BodyEncoding,
): Promise<Buffer | null> {
  const form = { ...TRACE_REQUEST[encoding], maximumBytes: otlp.limits.bytes };
  return fittingBody(generations, form, (generation, shortening) => {
    const spans = spansOf(otlp, generation, config, shortening);
    return encodeSpans(spans, limitsOf(otlp.values, shortening), encoding);
  });
}

function spansOf(
  otlp: OtlpType,
  generation: OutgoingGeneration,
  config: DestinationConfig,
  shortening: Shortening,
): GenerationSpans {
  const { event } = generation;
  const trace = traceFieldsOf(event);
  const content = shortening.hasContent ? shownContentOf(event, shortening.contentText) : null;
  const attributes = generationAttributesOf(generation, trace, otlp.hasCosts);
  const resource = new Attributes();
  if (isShortened(shortening)) setContentDropped(attributes, shortening.hasContent ? 'in part' : 'as a whole');
  otlp.describe({ event, trace, content, config, attributes, resource });
  return generationSpansOf(event, trace, attributes, resource, otlp.inner);
}

function limitsOf(values: ValueLimits, { fieldText }: Shortening): ValueLimits {
  if (fieldText === null) return values;
  return { ...values, text: { ...fieldText, length: Math.min(fieldText.length, values.text.length) } };
}
