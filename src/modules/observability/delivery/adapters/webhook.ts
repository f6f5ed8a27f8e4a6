import { settingOf, withConfiguredHeaders } from '../configured-settings.js';
import { secretsOf } from '../configured-secrets.js';
import type { DeliveryTarget, DeliveryVerdict, DestinationAdapter, ReceiverTransport } from '../destination-adapter.js';
import { estimatedBytesOf } from '../event-size.js';
import type { OutgoingGeneration } from '../generation-event.js';
import { describePrompt } from '../otlp/type-attributes.js';
import { otlpVerdictOf } from '../otlp/otlp-verdict.js';
import { TOO_LARGE } from '../verdicts.js';
import { loadedOtlpBodyOf } from './otlp-adapter.js';
import type { OtlpType } from './otlp-type.js';
import { webhookHeadersOf } from './webhook-signature.js';

const WEBHOOK: OtlpType = {
  type: 'webhook',
  // Receivers may read only the first generation of a request.
  limits: { generations: 1, bytes: 10_000_000, concurrency: 4 },
  values: { text: { length: 10_000_000, unit: 'characters' } },
  copies: 1,
  // Receivers that check a signature read the body as it came.
  isCompressed: false,
  hasCosts: true,
  urls: (config) => [settingOf(config, 'url')],
  headers: () => ({ 'content-type': 'application/json' }),
  describe: describePrompt,
};

/** Sends generations to a webhook: OTLP as JSON, signed as Standard Webhooks (docs/interface/destination-types.md#webhook). */
export const WEBHOOK_ADAPTER: DestinationAdapter = {
  limits: WEBHOOK.limits,

  async deliver(
    generations: readonly OutgoingGeneration[],
    target: DeliveryTarget,
    transport: ReceiverTransport,
  ): Promise<DeliveryVerdict> {
    const { config, signingSecrets } = target;
    const body = await loadedOtlpBodyOf(WEBHOOK, generations, config, 'json');
    if (body === null) return TOO_LARGE;
    const { event } = generations[0]!;
    const headers = {
      ...WEBHOOK.headers(config),
      ...webhookHeadersOf(signingSecrets, event.id, body),
      ...(event.isTest === true && { 'x-test-connection': 'true' }),
    };
    const answer = await transport.send({
      method: settingOf(config, 'method') === 'PUT' ? 'PUT' : 'POST',
      url: settingOf(config, 'url'),
      headers: withConfiguredHeaders(headers, config),
      body,
    });
    return otlpVerdictOf(answer, secretsOf('webhook', config, signingSecrets));
  },

  bytesOf: (generation) => estimatedBytesOf(generation, WEBHOOK.copies),
};
