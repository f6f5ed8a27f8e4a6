import { Injectable } from '@nestjs/common';
import { PatternSearches } from '../../../content/custom/pattern-searches.js';
import type { GenerationEvent, OutgoingGeneration } from '../generation-event.js';
import { SealedEvents } from '../outbox/sealed-events.js';
import { broadcastDestinationOf, mayGet } from '../selection/broadcast-destination.js';
import { isSelected } from '../selection/filter-rules.js';
import type { SendingDestination, StoredEvent } from './delivery.repository.js';

/** What is sent of events to destinations as they are at that moment. */
@Injectable()
export class OutgoingGenerations {
  constructor(
    private readonly events: SealedEvents,
    private readonly patterns: PatternSearches,
  ) {}

  /**
   * What a destination gets of an event: without content if it is private now.
   *
   * @returns null if it does not get the event any more
   * @throws Error when the event cannot be decrypted
   */
  async of(destination: SendingDestination, { id, ...stored }: StoredEvent): Promise<OutgoingGeneration | null> {
    const { organizationId } = destination;
    const { payload, content } = stored;
    if (payload === null) throw new Error('the event is lost');
    const event = await this.events.open({ organizationId, id }, { payload, content });
    const { filter, ...columns } = broadcastDestinationOf(destination);
    const arrived = {
      generationId: id,
      sessionId: event.sessionId,
      traceId: traceIdOf(event),
      // A rotated key is the same key.
      keyHash: stored.keyHash ?? event.key.hash,
      dataRegion: event.dataRegion,
    };
    if (!mayGet({ ...columns, filter }, arrived)) return null;
    // Rules that have not changed since have selected it already.
    if (destination.updatedAt > stored.enqueuedAt) {
      const search = (pattern: string, text: string): Promise<boolean | undefined> =>
        this.patterns.occursIn(pattern, text, { organizationId });
      if (filter.readsContent && event.content === null) return null;
      if (!(await isSelected(filter, event, search))) return null;
    }
    return outgoing(destination, event);
  }
}

/** An event for a destination that gets it. */
export function outgoing(
  destination: Pick<
    SendingDestination,
    'privacyMode' | 'broadcastGenerationCost' | 'broadcastGenerationIdentity' | 'broadcastGenerationRequestContext'
  >,
  event: GenerationEvent,
): OutgoingGeneration {
  return {
    event: destination.privacyMode ? { ...event, content: null } : event,
    additional: {
      cost: destination.broadcastGenerationCost,
      identity: destination.broadcastGenerationIdentity,
      requestContext: destination.broadcastGenerationRequestContext,
    },
  };
}

/** The trace that a request says it belongs to. */
export function traceIdOf({ trace }: Pick<GenerationEvent, 'trace'>): string | null {
  const { trace_id: id } = trace;
  return typeof id === 'string' && id !== '' ? id : null;
}
