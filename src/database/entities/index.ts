import { ListCountEntity } from './list-count.entity.js';

/** The entities that belong to no module. */
export const DATABASE_ENTITIES = [ListCountEntity];
