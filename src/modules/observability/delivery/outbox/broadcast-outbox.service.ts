import { Injectable, Optional } from '@nestjs/common';
import { ServiceLogger } from '../../../../telemetry/logging/service-logger.js';
import { Metrics } from '../../../../telemetry/metrics/metrics.js';
import { PatternSearches } from '../../../content/custom/pattern-searches.js';
import type { GenerationEvent } from '../generation-event.js';
import type { BroadcastDestination } from '../selection/broadcast-destination.js';
import { isSelected } from '../selection/filter-rules.js';
import type { OutboxEntry } from './enqueue-events.js';
import { OutboxBounds } from './outbox-bounds.service.js';
import { SealedEvents } from './sealed-events.js';

/** Decides who gets a generation when it is recorded, and makes its entry of the outbox. */
@Injectable()
export class BroadcastOutbox {
  constructor(
    private readonly events: SealedEvents,
    private readonly bounds: OutboxBounds,
    private readonly patterns: PatternSearches,
    private readonly logger: ServiceLogger,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  /**
   * The entry of a generation: with its content only if one of the destinations that get it is sent content. Never fails, because a
   * generation has to be recorded in any case; what goes wrong is logged.
   *
   * @param destinations those that may get it
   * @returns undefined where none gets it
   */
  async entryOf(
    event: GenerationEvent,
    destinations: readonly BroadcastDestination[],
  ): Promise<OutboxEntry | undefined> {
    try {
      const chosen: BroadcastDestination[] = [];
      for (const destination of destinations) {
        if (await this.getsEvent(destination, event)) chosen.push(destination);
      }
      if (chosen.length === 0) return undefined;
      const isContentSent = chosen.some(({ privacyMode }) => !privacyMode);
      const sealed = await this.events.seal(isContentSent ? event : { ...event, content: null });
      const chosenIds = chosen.map(({ id }) => id);
      this.bounds.add(event.organizationId, sealed.bytes, chosenIds);
      for (const { type } of chosen) this.metrics?.deliveries.enqueued(type);
      const enqueued = chosen.map(({ id, privacyMode }) => ({ id, getsContent: !privacyMode }));
      return { ...sealed, destinations: enqueued };
    } catch (error) {
      this.logger.warn(`generation ${event.id} is not sent to destinations: ${(error as Error).message}`);
      return undefined;
    }
  }

  private async getsEvent(destination: BroadcastDestination, event: GenerationEvent): Promise<boolean> {
    const { organizationId } = event;
    const search = (pattern: string, text: string): Promise<boolean | undefined> =>
      this.patterns.occursIn(pattern, text, { organizationId });
    if (!(await isSelected(destination.filter, event, search))) return false;
    if (this.bounds.hasRoom(organizationId, destination.id)) return true;
    this.metrics?.deliveries.dropped(destination.type, 'full', 1);
    return false;
  }
}
