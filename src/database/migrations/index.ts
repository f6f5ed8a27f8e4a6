import { CreateSchema1795219200000 } from './1795219200000-create-schema.js';
import { CountLists1795240800000 } from './1795240800000-count-lists.js';

/** Every migration, oldest first. One that has been released is never changed. */
export const MIGRATIONS = [CreateSchema1795219200000, CountLists1795240800000];
