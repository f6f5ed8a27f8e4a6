import { DestinationEntity } from './destination.entity.js';

/** Every entity of this module. */
export const OBSERVABILITY_ENTITIES = [DestinationEntity];
