import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import type { JsonSchema } from '../schema/json-schema.js';

const VENDOR_FIELDS = ['enforce_zdr_vendor_a', 'enforce_zdr_vendor_b', 'enforce_zdr_vendor_c', 'enforce_zdr_vendor_d'];

/**
 * The two points in which the wire form follows API_DIALECT (DECISIONS.md, section 4): the names of the vendor fields,
 * and the status of a created SCIM mapping. Everything behind the edge knows SERVICE.md's form alone.
 */
@Injectable()
export class Dialect {
  /** Whether the wire form differs from SERVICE.md's at all. */
  readonly isPublic: boolean;
  private readonly toWire: ReadonlyMap<string, string>;
  private readonly fromWire: ReadonlyMap<string, string>;

  constructor(environment: Environment) {
    this.isPublic = environment.apiDialect === 'public';
    const pairs = this.isPublic
      ? VENDOR_FIELDS.map((field, index) => [field, vendorFieldName(environment.zdrVendors[index]!)] as const)
      : [];
    this.toWire = new Map(pairs);
    this.fromWire = new Map(pairs.map(([field, name]) => [name, field]));
  }

  /** The fields of a request in SERVICE.md's names. */
  read(body: object): object {
    return this.isPublic ? renameKeys(body, this.fromWire) : body;
  }

  /** An answer's object in the names of the wire. */
  write(answer: object): object {
    return this.isPublic ? renameKeys(answer, this.toWire) : answer;
  }

  /** Schemas in the names of the wire, for the check of requests and for the OpenAPI document alike. */
  schemas(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
    if (!this.isPublic) return schemas;
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.renameProperties(schema)]));
  }

  /** Whether objects of a schema have a field that this dialect names differently. */
  concerns(schema: JsonSchema): boolean {
    return this.isPublic && VENDOR_FIELDS.some((field) => schema.properties?.[field] !== undefined);
  }

  private renameProperties(schema: JsonSchema): JsonSchema {
    if (!this.concerns(schema)) return schema;
    return {
      ...schema,
      properties: renameKeys(schema.properties!, this.toWire) as Record<string, JsonSchema>,
      ...(schema.required && { required: schema.required.map((name) => this.toWire.get(name) ?? name) }),
    };
  }
}

/** The public name of a vendor's field: `x-ai` and `xai` are the same vendor. */
export function vendorFieldName(vendor: string): string {
  return `enforce_zdr_${vendor.replaceAll(/[^a-z0-9]/g, '')}`;
}

function renameKeys(object: object, names: ReadonlyMap<string, string>): object {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value as unknown]));
}
