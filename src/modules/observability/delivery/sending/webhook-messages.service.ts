import { Injectable } from '@nestjs/common';
import { EncryptedConfigs } from '../../encrypted-configs.js';
import { ObservabilityRepository } from '../../observability.repository.js';
import { webhookHeadersOf } from '../adapters/webhook-signature.js';
import { secretsOf } from '../configured-secrets.js';
import { settingOf, withConfiguredHeaders } from '../configured-settings.js';
import { verdictOf, verdictOfError } from '../verdicts.js';
import { HttpReceiverTransport } from './receiver-transport.js';
import type { DestinationConfig } from '../../config-mask.js';

/** A message to a webhook that is not about generations. */
export interface WebhookMessage {
  /** Equal for all attempts, so that receivers can tell a repeated one. */
  readonly id: string;
  readonly body: object;
}

/** What became of a message: null when the webhook has taken it, else why not, without secrets. */
export type WebhookFailure = { readonly message: string; /** Milliseconds. */ readonly retryAfterMs?: number } | null;

/** Sends messages of other kinds than generations to destinations of type webhook (docs/interface/alerts.md#webhook). */
@Injectable()
export class WebhookMessages {
  constructor(
    private readonly repository: ObservabilityRepository,
    private readonly configs: EncryptedConfigs,
    private readonly transport: HttpReceiverTransport,
  ) {}

  /**
   * Sends a message to a webhook as it is configured now, signed as Standard Webhooks if it has secrets for that.
   *
   * @param signal ends the request
   * @throws the errors of the database
   */
  async send(
    organizationId: string,
    destinationId: string,
    { id, body }: WebhookMessage,
    signal: AbortSignal,
  ): Promise<WebhookFailure> {
    const destination = await this.repository.find(organizationId, destinationId);
    if (destination?.type !== 'webhook') return { message: 'The webhook is deleted.' };
    if (!destination.enabled) return { message: 'The webhook is disabled.' };
    const config = await this.configs.of(destination);
    if (config === undefined) return { message: 'The configuration cannot be decrypted.' };

    const secrets = signingSecretsOf(config);
    const payload = Buffer.from(JSON.stringify(body));
    const headers = {
      'content-type': 'application/json',
      ...webhookHeadersOf(secrets, id, payload),
    };
    const request = {
      method: settingOf(config, 'method') === 'PUT' ? 'PUT' : 'POST',
      url: settingOf(config, 'url'),
      headers: withConfiguredHeaders(headers, config, Object.keys(headers)),
      body: payload,
    } as const;
    const verdict = await this.transport
      .endingWith(signal)
      .send(request)
      .then((answer) => verdictOf(answer, secretsOf('webhook', config, secrets)))
      .catch(verdictOfError);
    return verdict.outcome === 'delivered' ? null : verdict;
  }
}

/** The secrets that sign the deliveries of a webhook, the newest first; a webhook without any is not signed. */
export function signingSecretsOf({ signingSecret }: DestinationConfig): readonly string[] {
  return typeof signingSecret === 'string' ? signingSecret.split(' ') : [];
}
