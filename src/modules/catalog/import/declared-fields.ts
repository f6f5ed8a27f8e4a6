import { type DtoClass, fieldsOf } from '../../../http/validation/dto-fields.js';

/**
 * The fields that a class declares, also those of the objects within: public lists may contain others, which are dropped.
 *
 * @param value has been validated against the class
 */
export function declaredFields<T extends object>(type: DtoClass<T>, value: T): T {
  const given = value as Readonly<Record<string, unknown>>;
  const declared = [...fieldsOf(type)].filter(([name]) => given[name] !== undefined);
  return Object.fromEntries(
    declared.map(([name, { nested }]) => {
      const nestedType = nested?.type(given);
      return [name, nestedType === undefined ? given[name] : within(nestedType, given[name])];
    }),
  ) as T;
}

function within(type: DtoClass, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: object) => declaredFields(type, item));
  return value === null ? null : declaredFields(type, value as object);
}
