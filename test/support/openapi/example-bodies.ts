import type { JsonSchema } from '../../../src/http/openapi/json-schema.js';
import type { Interface } from './described-operations.js';

/** Where a value stands in a body: names of fields and positions in lists. */
export type Place = readonly (string | number)[];

/** A place of a body, and the schema of what stands there. */
export interface SchemaPlace {
  readonly place: Place;
  readonly schema: JsonSchema;
}

/** A place as answers name it, for example `content_filters[0].pattern`. */
export function placeName(place: Place): string {
  return place.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}

/** Every place of a body at which a value without parts stands; of a list its first item. */
export function scalarPlaces(api: Interface, schema: JsonSchema): SchemaPlace[] {
  return placesIn(api, schema, [], () => true);
}

/**
 * The places about whose values their schemas alone decide: none in an object within the body that may have fields of any name, of which rules or
 * the provider judge.
 */
export function closedPlaces(api: Interface, schema: JsonSchema): SchemaPlace[] {
  return placesIn(api, schema, [], ({ additionalProperties }) => additionalProperties === false);
}

function placesIn(
  api: Interface,
  schema: JsonSchema,
  place: Place,
  entersPart: (part: JsonSchema) => boolean,
): SchemaPlace[] {
  const resolved = api.resolve(schema);
  const { properties, items } = resolved;
  if (properties) {
    if (place.length > 0 && !entersPart(resolved)) return [];
    return Object.entries(properties).flatMap(([name, child]) => placesIn(api, child, [...place, name], entersPart));
  }
  return items ? placesIn(api, items, [...place, 0], entersPart) : [{ place, schema: resolved }];
}

/** Whether a schema takes values of a type. */
export function acceptsType({ type }: JsonSchema, wanted: string): boolean {
  return [type].flat().includes(wanted as never);
}

/** A body that fits its schema, of the required fields alone and of their examples. */
export function exampleBody(api: Interface, schema: JsonSchema): Record<string, unknown> {
  const { properties = {}, required = [] } = api.resolve(schema);
  return Object.fromEntries(required.map((name) => [name, exampleOf(api, properties[name]!)]));
}

/** That body with a value at a place, and around the value what must be there. */
export function bodyWith(api: Interface, schema: JsonSchema, place: Place, value: unknown): Record<string, unknown> {
  return withValue(api, schema, exampleBody(api, schema), place, value) as Record<string, unknown>;
}

function withValue(api: Interface, schema: JsonSchema, whole: unknown, place: Place, value: unknown): unknown {
  const [step, ...rest] = place;
  if (step === undefined) return value;
  const resolved = api.resolve(schema);
  if (typeof step === 'number') {
    return [withValue(api, resolved.items!, exampleOf(api, resolved.items!), rest, value)];
  }
  const child = resolved.properties![step]!;
  const fields = whole as Record<string, unknown>;
  return { ...fields, [step]: withValue(api, child, fields[step] ?? exampleOf(api, child), rest, value) };
}

function exampleOf(api: Interface, schema: JsonSchema): unknown {
  const resolved = api.resolve(schema);
  // A reference to an enumeration that several fields have may have examples of its own beside it.
  const examples = schema.examples ?? resolved.examples;
  if (examples) return examples[0];
  if (resolved.properties) return exampleBody(api, resolved);
  if (resolved.items) return [exampleOf(api, resolved.items)];
  return resolved.enum?.[0] ?? 'example';
}
