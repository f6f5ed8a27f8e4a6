import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { errorMessage } from '../../../persistence/database-failures.js';
import { RepeatedWork } from '../../../persistence/repeated-work.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import type { AlertKind } from '../alert-kinds.js';
import {
  type AlertedOrganization,
  AlertEvaluationRepository,
  type NewNotification,
} from './alert-evaluation.repository.js';
import {
  budgetNotification,
  destinationPausedNotification,
  keyExpiryNotification,
  membersDeactivatedNotification,
} from './notification-data.js';

/** How often a process compares what alerts are about, in milliseconds. */
const EVALUATION_MS = 60_000;

/** How many organizations are listed at once. */
const ORGANIZATIONS_AT_ONCE = 500;

/** How many rounds an organization gets in a run; the next run goes on. */
const MOST_ROUNDS = 20;

/**
 * Finds what alerts are about, and writes it down once, on whichever replica (docs/interface/alerts.md#once). What is written down is sent
 * by `AlertDeliveryService`.
 */
@Injectable()
export class AlertEvaluationService implements OnModuleDestroy {
  private readonly repeated: RepeatedWork;
  private isStopped = false;

  constructor(
    private readonly repository: AlertEvaluationRepository,
    logger: ServiceLogger,
  ) {
    const failure = 'Alerts could not be evaluated; this is tried again';
    this.repeated = new RepeatedWork(() => this.evaluate(), { intervalMs: EVALUATION_MS, failure, logger });
  }

  /** Evaluates every minute while the application runs. What fails is logged. */
  start(): void {
    this.repeated.start();
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    this.repeated.stop();
  }

  /**
   * Writes down all that has happened and is not written down yet.
   *
   * @throws AggregateError of what the database refused, after the other organizations; and the error of an unreachable database
   */
  async evaluate(): Promise<void> {
    const errors: unknown[] = [];
    let after = '';
    for (;;) {
      const organizations = await this.repository.organizations(after, ORGANIZATIONS_AT_ONCE);
      for (const organization of organizations) {
        if (this.isStopped) return;
        await this.evaluateOf(organization).catch((error: unknown) => errors.push(error));
      }
      if (organizations.length < ORGANIZATIONS_AT_ONCE) break;
      after = organizations.at(-1)!.organizationId;
    }
    if (errors.length > 0) throw new AggregateError(errors, errorMessage(errors[0]));
  }

  private async evaluateOf({ organizationId, kinds }: AlertedOrganization): Promise<void> {
    for (const kind of kinds) {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const found = await this.found(organizationId, kind);
        if (found.length === 0) break;
        await this.repository.write(organizationId, found);
      }
    }
    await this.repository.forgetOld(organizationId);
  }

  private async found(organizationId: string, kind: AlertKind): Promise<NewNotification[]> {
    switch (kind) {
      case 'budget':
        return (await this.repository.crossedLimits(organizationId)).map(budgetNotification);
      case 'key_expiry':
        return (await this.repository.expiringKeys(organizationId)).map((key) => keyExpiryNotification(key));
      case 'destination_paused':
        return (await this.repository.pausedDestinations(organizationId)).map(destinationPausedNotification);
      case 'members_deactivated':
        return (await this.repository.deactivatedMembers(organizationId)).map(membersDeactivatedNotification);
    }
  }
}
