/** The part of JSON Schema 2020-12, and so of OpenAPI 3.1, that the document uses. */
export interface JsonSchema {
  $ref?: string;
  type?: JsonType | JsonType[];
  /** The form of OpenAPI 3.0 that @nestjs/swagger writes; the document has `null` among the types instead. */
  nullable?: boolean;
  description?: string;
  examples?: unknown[];
  default?: unknown;
  deprecated?: boolean;
  const?: unknown;
  enum?: readonly unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
}

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';
