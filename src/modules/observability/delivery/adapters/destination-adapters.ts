import type { DestinationType } from '../../destination-settings.js';
import type { DestinationAdapter } from '../destination-adapter.js';
import { OtlpAdapter } from './otlp-adapter.js';
import { OTLP_TYPES } from './otlp-types.js';
import { WEBHOOK_ADAPTER } from './webhook.js';

const ADAPTERS: ReadonlyMap<DestinationType, DestinationAdapter> = new Map([
  ...Object.values(OTLP_TYPES).map((otlp) => [otlp.type, new OtlpAdapter(otlp)] as const),
  ['webhook', WEBHOOK_ADAPTER],
]);

/** How generations are written for a type (docs/interface/destination-types.md); undefined where it has no sender. */
export function adapterOf(type: DestinationType): DestinationAdapter | undefined {
  return ADAPTERS.get(type);
}
