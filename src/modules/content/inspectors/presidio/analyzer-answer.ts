import { InspectorFailure } from '../remote-inspection.js';
import type { AnalyzedEntity, EntitySpan } from './analyzer.js';

/** What analyzers call the entities; those of other names are none of ours. */
const ENTITIES: ReadonlyMap<unknown, AnalyzedEntity> = new Map([
  ['PERSON', 'person-name'],
  ['LOCATION', 'address'],
  ['ADDRESS', 'address'],
  ['STREET_ADDRESS', 'address'],
]);

/** What an analyzer is asked for, by our names. */
export const ENTITY_TYPES: Readonly<Record<AnalyzedEntity, readonly string[]>> = {
  'person-name': ['PERSON'],
  address: ['LOCATION'],
};

/**
 * Reads the answer of an analyzer.
 *
 * @param answer its body, of any form. Its offsets count code points
 * @returns spans in code units, of the entities that we know
 * @throws InspectorFailure for an answer that the protocol does not have
 */
export function readEntities(answer: unknown, text: string): EntitySpan[] {
  if (!Array.isArray(answer)) throw new InspectorFailure('the answer is no list');
  const unitsOf = codeUnitsIn(text);
  return answer.flatMap((item: unknown): EntitySpan[] => {
    const { entity_type: type, start, end } = fieldsOf(item);
    const entity = ENTITIES.get(type);
    if (entity === undefined) return [];
    const span = { start: unitsOf(start), end: unitsOf(end) };
    if (span.start === undefined || span.end === undefined || span.start >= span.end) {
      throw new InspectorFailure('an offset lies outside the text');
    }
    return [{ entity, start: span.start, end: span.end }];
  });
}

function fieldsOf(item: unknown): Readonly<Record<string, unknown>> {
  if (typeof item === 'object' && item !== null && 'entity_type' in item && typeof item.entity_type === 'string') {
    return item;
  }
  // What cannot be read may be a name.
  throw new InspectorFailure('an item of the answer is no entity');
}

/** How offsets in code points, as servers in Python have them, are converted to those in code units; undefined for what is no offset in the text. */
export function codeUnitsIn(text: string): (offset: unknown) => number | undefined {
  const points = Uint32Array.from(codePointStarts(text));
  return (offset) => (typeof offset === 'number' ? points[offset] : undefined);
}

/** Where each code point starts, and the end of the text. */
function* codePointStarts(text: string): Generator<number> {
  for (let unit = 0; unit < text.length; unit += text.codePointAt(unit)! > 0xffff ? 2 : 1) yield unit;
  yield text.length;
}
