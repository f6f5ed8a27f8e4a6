import type { JsonSchema } from '../../../../src/http/openapi/json-schema.js';
import { type ContractRequests, resolvedSchema } from '../../../support/contract/contract-requests.js';

type Resolver = Pick<ContractRequests, 'resolve'>;

/**
 * Everything that a schema declares, one line each: places such as `body.content_filters[].pattern`, the values that may
 * stand there where they are listed, and null where it may stand there.
 */
export function declaredPlaces(resolver: Resolver, schema: JsonSchema, place: string): string[] {
  const resolved = resolvedSchema(resolver, schema);
  const values = new Set([...(resolved.enum ?? []), ...([resolved.type].flat().includes('null') ? [null] : [])]);
  return [
    place,
    ...[...values].map((value) => `${place} = ${JSON.stringify(value)}`),
    ...Object.entries(resolved.properties ?? {}).flatMap(([name, child]) =>
      declaredPlaces(resolver, child, `${place}.${name}`),
    ),
    ...(resolved.items ? declaredPlaces(resolver, resolved.items, `${place}[]`) : []),
  ];
}

/**
 * What a value makes use of, in the same lines.
 *
 * @throws Error for a field that the schema does not declare
 */
export function sentPlaces(resolver: Resolver, schema: JsonSchema, value: unknown, place: string): string[] {
  const resolved = resolvedSchema(resolver, schema);
  const own = value === null || resolved.enum ? [place, `${place} = ${JSON.stringify(value)}`] : [place];
  const { properties, items } = resolved;
  if (Array.isArray(value) && items) {
    return [...own, ...value.flatMap((item) => sentPlaces(resolver, items, item, `${place}[]`))];
  }
  if (typeof value !== 'object' || value === null || !properties) return own;
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, part]) => {
      const child = properties[name];
      if (child === undefined) throw new Error(`the contract has no ${place}.${name}`);
      return sentPlaces(resolver, child, part, `${place}.${name}`);
    }),
  ];
}
