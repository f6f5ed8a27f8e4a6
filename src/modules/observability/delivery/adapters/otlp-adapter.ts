import { compressed } from '../compressed-body.js';
import { sentToFirstFound, withConfiguredHeaders } from '../configured-settings.js';
import { secretsOf } from '../configured-secrets.js';
import type {
  BatchLimits,
  BodyEncoding,
  DeliveryTarget,
  DeliveryVerdict,
  DestinationAdapter,
  ReceiverTransport,
} from '../destination-adapter.js';
import { estimatedBytesOf } from '../event-size.js';
import type { OutgoingGeneration } from '../generation-event.js';
import { otlpVerdictOf } from '../otlp/otlp-verdict.js';
import { TOO_LARGE } from '../verdicts.js';
import type { OtlpType } from './otlp-type.js';
import type { otlpBodyOf } from './otlp-body.js';

/**
 * Writes generations as {@link otlpBodyOf} does, which is loaded with the first of them: the packages of OpenTelemetry would take a part of
 * the time of every start.
 */
export async function loadedOtlpBodyOf(...given: Parameters<typeof otlpBodyOf>): ReturnType<typeof otlpBodyOf> {
  const loaded = await import('./otlp-body.js');
  return loaded.otlpBodyOf(...given);
}

const CONTENT_TYPES: Readonly<Record<BodyEncoding, string>> = {
  json: 'application/json',
  protobuf: 'application/x-protobuf',
};

/** Sends generations to a type that takes OTLP over HTTP (docs/interface/destination-types.md#otlp). */
export class OtlpAdapter implements DestinationAdapter {
  readonly limits: BatchLimits;

  constructor(private readonly otlp: OtlpType) {
    this.limits = otlp.limits;
  }

  /** As {@link DestinationAdapter.deliver}. */
  async deliver(
    generations: readonly OutgoingGeneration[],
    target: DeliveryTarget,
    transport: ReceiverTransport,
    encoding?: BodyEncoding,
  ): Promise<DeliveryVerdict> {
    const { otlp } = this;
    const written = otlp.encoding ?? encoding ?? target.encoding ?? 'json';
    const body = await loadedOtlpBodyOf(otlp, generations, target.config, written);
    if (body === null) return TOO_LARGE;
    const sent = otlp.isCompressed ? await compressed(body) : { body, headers: {} };
    const headers = { ...otlp.headers(target.config), 'content-type': CONTENT_TYPES[written], ...sent.headers };
    const answer = await sentToFirstFound(transport, otlp.urls(target.config), {
      method: 'POST',
      headers: withConfiguredHeaders(headers, target.config),
      body: sent.body,
    });
    return otlpVerdictOf(answer, secretsOf(otlp.type, target.config));
  }

  /** As {@link DestinationAdapter.bytesOf}. */
  bytesOf(generation: OutgoingGeneration): number {
    return estimatedBytesOf(generation, this.otlp.copies);
  }
}
