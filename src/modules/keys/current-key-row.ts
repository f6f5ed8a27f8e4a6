import type { DataRegion } from '../../config/data-region.js';
import type { DescribedKey } from './described-key.js';

/** A key as its own holder sees it, with the lists of regions that restrict it. */
export interface CurrentKeyRow extends DescribedKey {
  /** Each is a list of the only regions through which requests may arrive; null where there is no list. */
  readonly dataRegionLists: readonly (readonly DataRegion[])[] | null;
}
