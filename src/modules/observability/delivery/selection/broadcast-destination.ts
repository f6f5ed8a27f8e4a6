import type { DataRegion } from '../../../../config/data-region.js';
import type { DestinationEntity } from '../../entities/destination.entity.js';
import { type CompiledFilter, compiledFilter } from './filter-rules.js';
import { isSampled, type Sampled } from './sampling.js';

/** The columns that decide which generations a destination gets. */
export type SelectingColumns = Pick<
  DestinationEntity,
  'id' | 'type' | 'privacyMode' | 'samplingRate' | 'regions' | 'apiKeyHashes' | 'filterRules'
>;

/** A destination that is enabled, in a workspace that broadcasts, and which generations it gets. */
export interface BroadcastDestination extends Omit<SelectingColumns, 'filterRules'> {
  readonly filter: CompiledFilter;
}

/** What is known of a generation when its request comes. */
export interface ArrivedGeneration extends Sampled {
  readonly keyHash: string;
  readonly dataRegion: DataRegion;
}

/** Makes a destination ready to be asked which generations it gets. */
export function broadcastDestinationOf({ filterRules, ...columns }: SelectingColumns): BroadcastDestination {
  return { ...columns, filter: compiledFilter(filterRules) };
}

/** Whether a destination gets a generation, as far as its filter rules select it. */
export function mayGet(destination: BroadcastDestination, generation: ArrivedGeneration): boolean {
  const { id, filter, regions, apiKeyHashes, samplingRate } = destination;
  return (
    filter.problem === undefined &&
    regions.includes(generation.dataRegion) &&
    (apiKeyHashes === null || apiKeyHashes.includes(generation.keyHash)) &&
    isSampled(id, samplingRate, generation)
  );
}
