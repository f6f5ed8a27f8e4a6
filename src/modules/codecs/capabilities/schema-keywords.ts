/** Where the definitions of a schema stand, in the older and in the newer name. */
export const OLDER_DEFINITIONS = 'definitions';
export const DEFINITIONS = '$defs';

/** Keywords whose values are schemas, by their form: one, a list, or one for each name. */
export const OF_ONE: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not', 'contains']);
export const OF_LIST: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
export const OF_NAMES: ReadonlySet<string> = new Set([
  'properties',
  DEFINITIONS,
  OLDER_DEFINITIONS,
  'patternProperties',
]);
