import { lineage, type SchemaClass } from '../schema/schema-registry.js';

const KIBIBYTE = 1024;

/** How large a body may be where nothing else is said, in bytes: many times what a client has to say in a few fields. */
export const DEFAULT_BODY_LIMIT = 16 * KIBIBYTE;

/** Limits for bodies that hold more than a few fields, in bytes. */
export const BODY_LIMITS = {
  /** Lists or texts of a bounded length. */
  medium: 128 * KIBIBYTE,
  /** Lists without a bound of their own, and configurations of any form. */
  large: 1024 * KIBIBYTE,
} as const;

const limitByClass = new WeakMap<object, number>();

/** Says how large the bodies of a request class may be, in bytes, where {@link DEFAULT_BODY_LIMIT} does not fit. */
export function BodyLimit(bytes: number): ClassDecorator {
  return (type) => {
    limitByClass.set(type, bytes);
  };
}

/** How large the body of a request class may be, in bytes: by its own word, or that of a class that it extends. */
export function bodyLimitOf(type: SchemaClass): number {
  const limits = lineage(type).map((ancestor) => limitByClass.get(ancestor));
  return limits.findLast((limit) => limit !== undefined) ?? DEFAULT_BODY_LIMIT;
}
