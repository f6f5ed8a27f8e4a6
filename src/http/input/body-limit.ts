import { Reflector } from '@nestjs/core';
import type { DtoClass } from '../validation/dto-fields.js';

const KIBIBYTE = 1024;

/** The default limit of a request body, in bytes: far more than a few fields need. */
const DEFAULT_BODY_LIMIT = 16 * KIBIBYTE;

/** Limits for bodies that hold more than a few fields, in bytes. */
export const BODY_LIMITS = {
  /** For lists or texts of a bounded length. */
  medium: 128 * KIBIBYTE,
  /** For lists without a bound of their own, and configurations of any form. */
  large: 1024 * KIBIBYTE,
} as const;

/** Sets the body limit of a class and its subclasses, in bytes, if {@link DEFAULT_BODY_LIMIT} does not fit. */
export const BodyLimit = Reflector.createDecorator<number>();

/** The body limit of a class, in bytes. */
export function bodyLimitOf(type: DtoClass): number {
  return (Reflect.getMetadata(BodyLimit.KEY, type) as number | undefined) ?? DEFAULT_BODY_LIMIT;
}

const INFERENCE_BODY_METADATA = 'gatehouse:inference-body';

/** The limit of inference bodies in the OpenAPI document: that of a deployment that sets no INFERENCE_BODY_LIMIT. */
const DOCUMENTED_INFERENCE_LIMIT = 20 * 1024 * KIBIBYTE;

/**
 * Says that a class is the body of an inference request, which may carry images and documents: its limit is a setting, and
 * it counts as memory of its organization for as long as its request is open (docs/limits.md#inference).
 */
export function InferenceBody(): ClassDecorator {
  return (type) => {
    Reflect.defineMetadata(INFERENCE_BODY_METADATA, true, type);
    Reflect.defineMetadata(BodyLimit.KEY, DOCUMENTED_INFERENCE_LIMIT, type);
  };
}

/** Whether a class is the body of an inference request. */
export function isInferenceBody(type: DtoClass): boolean {
  return Reflect.hasMetadata(INFERENCE_BODY_METADATA, type);
}
