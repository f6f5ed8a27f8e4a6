import { type CounterPlaces, OpenCounters } from './open-counters.js';
import { OpenLimits } from './open-limits.js';
import type { ReservingState } from './reservations.repository.js';

/** What is left of limits and counters while the requests of a batch are admitted, one after the other. */
export interface OpenAmounts {
  readonly limits: OpenLimits;
  readonly counters: OpenCounters;
}

/** What is left before the first of them. @param places of the counters in the state */
export function openAmountsOf(
  { limits, reserved, counters, populations }: ReservingState,
  places: CounterPlaces,
): OpenAmounts {
  return {
    limits: new OpenLimits(limits, reserved),
    counters: new OpenCounters(places, counters, populations),
  };
}
