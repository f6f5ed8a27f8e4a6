import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { errorMessage } from '../../../persistence/database-failures.js';
import { RepeatedWork } from '../../../persistence/repeated-work.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import type { LimitMeasure, LimitWindow } from '../../limits/limit-vocabulary.js';
import { windowEndOf, windowStartOf } from '../../limits/limit-windows.js';
import type { AlertKind } from '../alert-kinds.js';
import {
  type AlertedOrganization,
  AlertEvaluationRepository,
  type NewNotification,
} from './alert-evaluation.repository.js';
import {
  budgetNotification,
  combinationForecastNotification,
  destinationPausedNotification,
  forecastNotification,
  keyExpiryNotification,
  limitNotification,
  membersDeactivatedNotification,
} from './notification-data.js';
import { type AlertedLimit, LimitEvaluationRepository } from './limit-evaluation.repository.js';

/** How often a process compares what alerts are about, in milliseconds. */
const EVALUATION_MS = 60_000;

/** How many organizations are listed at once. */
const ORGANIZATIONS_AT_ONCE = 500;

/** The limits by condition and group of which it is forecast when they will be met: those that a day, a week or a month makes out. */
const FORECAST_MEASURES: ReadonlySet<LimitMeasure> = new Set(['usd', 'tokens']);
const FORECAST_WINDOWS: ReadonlySet<LimitWindow | null> = new Set(['daily', 'weekly', 'monthly']);

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
    private readonly limits: LimitEvaluationRepository,
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
    for (const kind of kinds) await this.evaluateKind(organizationId, kind);
    await this.repository.forgetOld(organizationId);
    await this.limits.forgetOld(organizationId);
  }

  private async evaluateKind(organizationId: string, kind: AlertKind): Promise<void> {
    const { repository } = this;
    switch (kind) {
      case 'budget':
        return this.inRounds(organizationId, async () =>
          (await repository.crossedLimits(organizationId)).map(budgetNotification),
        );
      case 'key_expiry':
        return this.inRounds(organizationId, async () =>
          (await repository.expiringKeys(organizationId)).map((key) => keyExpiryNotification(key)),
        );
      case 'destination_paused':
        return this.inRounds(organizationId, async () =>
          (await repository.pausedDestinations(organizationId)).map(destinationPausedNotification),
        );
      case 'members_deactivated':
        return this.inRounds(organizationId, async () =>
          (await repository.deactivatedMembers(organizationId)).map(membersDeactivatedNotification),
        );
      case 'limit':
        return this.ofEachLimit(organizationId, kind, async (limit) =>
          (await this.limits.crossed(organizationId, limit, recentWindows(limit))).map(limitNotification),
        );
      case 'budget_forecast':
        await this.inRounds(organizationId, async () =>
          (await repository.forecastLimits(organizationId)).map(forecastNotification),
        );
        return this.ofEachLimit(organizationId, kind, async (limit) => {
          const window = forecastWindow(limit);
          const found = window === null ? [] : await this.limits.forecast(organizationId, limit, window);
          return found.map(combinationForecastNotification);
        });
    }
  }

  /** Writes down what is found, until nothing more is. */
  private async inRounds(organizationId: string, find: () => Promise<NewNotification[]>): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const found = await find();
      if (found.length === 0) return;
      await this.repository.write(organizationId, found);
    }
  }

  /** Writes down what is found of each limit by condition and group that alerts of a kind are about, once: what one limit notifies is bounded. */
  private async ofEachLimit(
    organizationId: string,
    kind: AlertKind,
    find: (limit: AlertedLimit) => Promise<NewNotification[]>,
  ): Promise<void> {
    for (const limit of await this.limits.limits(organizationId, kind)) {
      if (this.isStopped) return;
      const found = await find(limit);
      if (found.length > 0) await this.repository.write(organizationId, found);
    }
  }
}

/** The beginnings of the present window of a limit, and of those that have ended since the last evaluation, or the one before. */
function recentWindows({ window }: AlertedLimit, now = Date.now()): Date[] {
  const starts = [0, 1, 2].map((times) => windowStartOf(window, new Date(now - times * EVALUATION_MS)).getTime());
  return [...new Set(starts)].map((start) => new Date(start));
}

/** The present window of a limit of which it is forecast when it will be met; null for another one. */
function forecastWindow({ measure, window }: AlertedLimit): { readonly start: Date; readonly end: Date } | null {
  if (!FORECAST_MEASURES.has(measure) || !FORECAST_WINDOWS.has(window)) return null;
  const start = windowStartOf(window, new Date());
  const end = windowEndOf(window, start);
  return end === null ? null : { start, end };
}
