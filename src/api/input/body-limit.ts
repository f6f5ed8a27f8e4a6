import type { DtoClass } from '../validation/dto-fields.js';

const KIBIBYTE = 1024;

/** The default limit of a request body, in bytes: far more than a few fields need. */
export const DEFAULT_BODY_LIMIT = 16 * KIBIBYTE;

/** Limits for bodies that hold more than a few fields, in bytes. */
export const BODY_LIMITS = {
  /** For lists or texts of a bounded length. */
  medium: 128 * KIBIBYTE,
  /** For lists without a bound of their own, and configurations of any form. */
  large: 1024 * KIBIBYTE,
  /** For requests of inference, which may carry images and documents. */
  inference: 20 * 1024 * KIBIBYTE,
} as const;

const BODY_LIMIT_METADATA = 'gatehouse:body-limit';

/** Sets the body limit of a class and its subclasses, in bytes, if {@link DEFAULT_BODY_LIMIT} does not fit. */
export function BodyLimit(bytes: number): ClassDecorator {
  return (type) => Reflect.defineMetadata(BODY_LIMIT_METADATA, bytes, type);
}

/** The body limit of a class, in bytes. */
export function bodyLimitOf(type: DtoClass): number {
  return (Reflect.getMetadata(BODY_LIMIT_METADATA, type) as number | undefined) ?? DEFAULT_BODY_LIMIT;
}
