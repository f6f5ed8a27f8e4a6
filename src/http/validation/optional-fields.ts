import { ValidateIf } from 'class-validator';
import { type DtoClass, fieldsOf } from './dto-fields.js';

/** A class of which only some fields have to be given. */
type WithOptional<T extends object, Required extends keyof T> = Pick<T, Required> & Partial<Omit<T, Required>>;

/**
 * Makes a base class with the fields of another one, all of them optional but for some. A field that is given is validated
 * as in the other class.
 *
 * @param required the fields that have to be given
 */
export function OptionalFields<T extends object, Required extends keyof T & string>(
  type: DtoClass<T>,
  required: readonly Required[],
): DtoClass<WithOptional<T, Required>> {
  abstract class Optional extends (type as DtoClass) {}
  for (const name of fieldsOf(type).keys()) {
    if ((required as readonly string[]).includes(name)) continue;
    // Beside the condition of the other class, since a field is validated where all of its conditions hold.
    ValidateIf((_, value) => value !== undefined)(Optional.prototype, name);
  }
  return Optional as DtoClass<WithOptional<T, Required>>;
}
