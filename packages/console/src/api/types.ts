import type { components } from './schema';

/** A type of the OpenAPI document, by its name there. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
