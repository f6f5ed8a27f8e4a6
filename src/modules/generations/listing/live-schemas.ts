import {
  namedSchema,
  objectWith,
  referenceTo,
  referring,
  type SchemaReference,
  textOf,
} from '../../../http/openapi/named-schemas.js';
import { ListedGeneration } from './generation-list.dto.js';

/** An event of the stream of new records (docs/interface/generations.md#live). */
export const LIVE_GENERATION_EVENT: SchemaReference = namedSchema(
  'LiveGenerationEvent',
  objectWith(
    'An event. Clients that were cut off send the last `id` as `Last-Event-ID`.',
    {
      event: textOf(
        '`generation` for a new record, `more` where there are more new ones than were sent.',
        'generation',
      ),
      id: textOf('Up to when records were looked for.', '1795219200000'),
      data: referring(referenceTo(ListedGeneration.name), 'The record, or with `more` how many were sent.'),
    },
    ['event', 'id', 'data'],
  ),
);
