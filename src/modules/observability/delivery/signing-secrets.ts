import type { DestinationConfig } from '../config-mask.js';

/** The secrets that sign the deliveries of a webhook, the newest first; a webhook without any is not signed. */
export function signingSecretsOf({ signingSecret }: DestinationConfig): readonly string[] {
  return typeof signingSecret === 'string' ? signingSecret.split(' ') : [];
}
