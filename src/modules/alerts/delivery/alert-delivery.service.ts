import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { RepeatedWork } from '../../../persistence/repeated-work.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import { WebhookMessages } from '../../observability/delivery/sending/webhook-messages.service.js';
import { newConfirmationToken } from '../recipients/confirmation-token.js';
import {
  AlertDeliveriesRepository,
  type ClaimedConfirmation,
  type ClaimedDelivery,
} from './alert-deliveries.repository.js';
import { alertMailOf, alertMessageOf, confirmationMailOf, notificationIdOf } from './alert-message.js';
import { Mailer, MailNotSent } from './mailer.js';

/** How often a process looks for what is due, in milliseconds. */
const LOOK_MS = 5_000;

/** To how many organizations' receivers a process sends at once, and how much of one. Each takes less than the lease of what is claimed. */
const ORGANIZATIONS_AT_ONCE = 8;
const OF_AN_ORGANIZATION = 10;

/** How long it is tried to send a notification, in milliseconds, and how often to send a link. */
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;
const MOST_LINK_TRIES = 40;

/** The shortest and longest wait between two tries, in seconds. */
const SHORTEST_WAIT_S = 10;
const LONGEST_WAIT_S = 1_800;

/** How long a confirmation link is valid, in days. */
const LINK_DAYS = 7;
const DAY_S = 86_400;

/** Webhooks have this name as receivers; all others are addresses. */
const WEBHOOK = 'webhook';

/** Why something was not sent: a text without secrets. */
type NotSent = { readonly message: string; readonly retryAfterMs?: number } | null;

/**
 * Sends notifications, and links that addresses confirm by (docs/interface/alerts.md#delivery). All processes share the work: each takes
 * what is due for some time, so that what a process that died had taken is sent by another one.
 */
@Injectable()
export class AlertDeliveryService implements OnModuleDestroy {
  private readonly repeated: RepeatedWork;
  private readonly ending = new AbortController();
  private readonly linkBase: string;

  constructor(
    private readonly repository: AlertDeliveriesRepository,
    private readonly webhooks: WebhookMessages,
    private readonly mailer: Mailer,
    private readonly environment: Environment,
    private readonly logger: ServiceLogger,
  ) {
    const failure = 'What alerts have to send could not be read; this is tried again';
    this.repeated = new RepeatedWork(() => this.send(), { intervalMs: LOOK_MS, failure, logger });
    this.linkBase = `${environment.publicUrl ?? ''}${environment.apiBasePath}/alerts/confirm?token=`;
  }

  /** Sends what is due every few seconds, unless this process does not send (BROADCAST_WORKERS). What fails is logged. */
  start(): void {
    if (this.environment.broadcastWorkers > 0) this.repeated.start();
  }

  onModuleDestroy(): void {
    this.repeated.stop();
    this.ending.abort();
  }

  /** Sends what is due now, once. @throws the errors of the database */
  async send(): Promise<void> {
    const organizations = await this.repository.organizationsDue(ORGANIZATIONS_AT_ONCE);
    const sent = await Promise.allSettled(organizations.map((organizationId) => this.sendOf(organizationId)));
    const failed = sent.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  private async sendOf(organizationId: string): Promise<void> {
    const [deliveries, confirmations] = [
      await this.repository.claim(organizationId, OF_AN_ORGANIZATION),
      await this.repository.claimConfirmations(organizationId, OF_AN_ORGANIZATION),
    ];
    await Promise.all([
      ...deliveries.map((delivery) => this.deliver(organizationId, delivery)),
      ...confirmations.map((confirmation) => this.sendLink(organizationId, confirmation)),
    ]);
  }

  private async deliver(organizationId: string, delivery: ClaimedDelivery): Promise<void> {
    const failure = await this.attempt(organizationId, delivery);
    if (failure === null) return this.repository.end(organizationId, delivery, 'sent');
    this.logger.warn(`an alert was not sent (${delivery.alertId}): ${failure.message}`);
    if (Date.now() - delivery.createdAt.getTime() >= GIVEN_UP_AFTER_MS) {
      return this.repository.end(organizationId, delivery, 'failed');
    }
    return this.repository.postpone(organizationId, delivery, waitOf(delivery.tries, failure.retryAfterMs));
  }

  /** Sends a notification to one receiver. @returns null also for a receiver that is none of the alert's any more */
  private async attempt(organizationId: string, delivery: ClaimedDelivery): Promise<NotSent> {
    const outgoing = await this.repository.outgoing(organizationId, delivery);
    if (outgoing === undefined) return null;
    const message = alertMessageOf(organizationId, delivery, outgoing);
    if (delivery.receiver === WEBHOOK) {
      if (outgoing.destinationId === null) return null;
      const webhook = { id: message.id, body: message };
      return this.webhooks.send(organizationId, outgoing.destinationId, webhook, this.ending.signal);
    }
    if (!outgoing.isConfirmed) return null;
    const id = notificationIdOf(organizationId, delivery);
    return this.mail({ to: delivery.receiver, id, ...alertMailOf(message) });
  }

  private async sendLink(organizationId: string, confirmation: ClaimedConfirmation): Promise<void> {
    // Made for each try, so that no database has a token that a link could be made of.
    const { token, hash } = newConfirmationToken(organizationId);
    if (!(await this.repository.storeToken(organizationId, confirmation, hash, LINK_DAYS * DAY_S))) return;
    const failure = await this.mail({
      to: confirmation.email,
      id: `${confirmation.alertId}-${hash.toString('hex').slice(0, 16)}`,
      ...confirmationMailOf(confirmation.organizationName, `${this.linkBase}${token}`, LINK_DAYS),
    });
    const isOver = failure === null || confirmation.tries >= MOST_LINK_TRIES;
    if (failure !== null)
      this.logger.warn(`a confirmation link was not sent (${confirmation.alertId}): ${failure.message}`);
    await this.repository.endConfirmation(organizationId, confirmation, isOver ? null : waitOf(confirmation.tries));
  }

  private async mail(mail: Parameters<Mailer['send']>[0]): Promise<NotSent> {
    try {
      await this.mailer.send(mail);
      return null;
    } catch (error) {
      if (error instanceof MailNotSent) return { message: error.message };
      throw error;
    }
  }
}

/** Seconds until the next try: a random part of a time that doubles with each. @param tries at least 1 @param askedMs by the receiver */
function waitOf(tries: number, askedMs = 0): number {
  const most = Math.min(LONGEST_WAIT_S, SHORTEST_WAIT_S * 2 ** tries);
  return Math.max(SHORTEST_WAIT_S, Math.random() * most, askedMs / 1_000);
}
