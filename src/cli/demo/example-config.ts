import { randomBytes } from 'node:crypto';
import type { DestinationConfig } from '../../modules/observability/credential-mask.js';
import { DESTINATION_SETTINGS } from '../../modules/observability/destination-settings.js';
import type { DestinationType } from '../../modules/observability/destination-type.js';

/** A configuration of a type with all that it requires and a header; credentials are random and let nobody in. */
export function exampleConfig(type: DestinationType): DestinationConfig {
  const settings = Object.entries(DESTINATION_SETTINGS[type]).filter(
    ([, { required, credential, default: fallback }]) => required || credential || fallback !== undefined,
  );
  return {
    ...Object.fromEntries(
      settings.map(([name, { example, credential, pattern }]) => [
        name,
        // A credential of a prescribed form keeps the form of its example.
        credential && pattern === undefined ? `demo-${randomBytes(16).toString('hex')}` : example,
      ]),
    ),
    headers: { 'x-demonstration': `demo-${randomBytes(16).toString('hex')}` },
  };
}
