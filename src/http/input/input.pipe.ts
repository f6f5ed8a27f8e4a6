import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Dialect } from '../dialect/dialect.js';
import { RequestSlots } from '../../limits/request-slots.js';
import { BadRequestError } from '../errors/domain-error.js';
import type { Issue, ReasonedIssue } from '../errors/issue.js';
import type { GatehouseRequest } from '../request.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { allSchemas, type SchemaClass } from '../schema/schema-registry.js';
import { SchemaValidator } from '../schema/schema-validator.js';
import { bodyLimitOf } from './body-limit.js';
import { BodyMemory } from './body-memory.js';
import { hasBody, readJsonBody } from './body-reader.js';
import { percentDecoded } from './percent-encoding.js';
import { readQuery } from './query-reader.js';
import { requestRulesOf } from './request-rules.js';
import { rulesOf } from './rules.js';
import { inspectText } from './text-inspection.js';

/** Where the fields of an operation's input come from. */
export interface InputSources {
  readonly path?: SchemaClass;
  readonly query?: SchemaClass;
  readonly body?: SchemaClass;
  /** A body that may be left out altogether, which is then taken for an object without fields. */
  readonly optionalBody?: SchemaClass;
  /** A body whose fields may have any name, and that is handed over by itself, as `body`. */
  readonly openBody?: SchemaClass;
}

/** What each look at a request found: lists in a list, for one of them may be too long to be spread into a call. */
type Findings = (readonly ReasonedIssue[])[];

/** Reads and checks everything that an operation takes, waits for its turn, and hands it over as one object. */
@Injectable()
export class InputPipe implements PipeTransform<GatehouseRequest, Promise<object>> {
  private readonly schemas: Record<string, JsonSchema>;
  private readonly validator: SchemaValidator;

  constructor(
    private readonly dialect: Dialect,
    private readonly slots: RequestSlots,
    private readonly bodyMemory: BodyMemory,
    private readonly modules: ModuleRef,
  ) {
    this.schemas = dialect.schemas(allSchemas());
    this.validator = new SchemaValidator(this.schemas);
  }

  /** @throws BadRequestError that names every fault of path, query and body together */
  async transform(request: GatehouseRequest, metadata: ArgumentMetadata): Promise<object> {
    // The decorator hands the sources over as the pipe's data.
    const sources = metadata.data as unknown as InputSources;
    const found: Findings = [];
    const path = this.readPath(request, sources.path, found);
    const query = this.readQuery(request, sources.query, found);
    const bodyType = sources.body ?? (hasBody(request) ? sources.optionalBody : undefined);
    const body = bodyType === undefined ? {} : await this.readBody(request, bodyType, found);
    const openBody = sources.openBody && { body: await this.readBody(request, sources.openBody, found) };
    const issues = found.flat();
    if (issues.length > 0) throw BadRequestError.of(issues);
    // Not earlier: a request whose body arrives slowly takes nothing from others.
    await this.slots.take(request);
    return { ...query, ...body, ...openBody, ...path };
  }

  private readPath(request: GatehouseRequest, type: SchemaClass | undefined, found: Findings): object {
    if (type === undefined) return {};
    if (request.hasMalformedPath) {
      found.push(malformedPartsOf(request.params));
      return {};
    }
    const values = { ...request.params };
    found.push(...this.check(type, values));
    return values;
  }

  private readQuery(request: GatehouseRequest, type: SchemaClass | undefined, found: Findings): object {
    const separator = request.url.indexOf('?');
    if (separator === -1 && type === undefined) return {};
    const text = separator === -1 ? '' : request.url.slice(separator + 1);
    const reading = readQuery(text, this.propertiesOf(type));
    found.push(reading.issues);
    if (type !== undefined) found.push(...this.check(type, reading.values));
    else found.push(Object.keys(reading.values).map((path) => ({ path, message: 'is not a known field' })));
    return reading.values;
  }

  private async readBody(request: GatehouseRequest, type: SchemaClass, found: Findings): Promise<object> {
    // A caller whom the guard knows no organization of is known by its address alone.
    const share = this.bodyMemory.shareOf(request.organizationId ?? request.clientAddress ?? 'unknown');
    const value = await readJsonBody(request, bodyLimitOf(type), share);
    found.push(...this.check(type, value));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    for (const rule of rulesOf(type)) found.push(await rule(value as Record<string, unknown>));
    for (const rule of requestRulesOf(type)) {
      found.push(await this.modules.get(rule, { strict: false }).check(value as Record<string, unknown>, request));
    }
    return this.dialect.read(value);
  }

  private check(type: SchemaClass, value: unknown): [readonly Issue[], readonly Issue[]] {
    return [inspectText(value), this.validator.check(type, value)];
  }

  private propertiesOf(type: SchemaClass | undefined): Record<string, JsonSchema> {
    return (type && this.schemas[type.name]?.properties) ?? {};
  }
}

function malformedPartsOf(encoded: Readonly<Record<string, string | string[]>>): ReasonedIssue[] {
  return Object.entries(encoded)
    .filter(([, text]) => percentDecoded(String(text)) === undefined)
    .map(([path]) => ({ path, message: 'is not percent-encoded UTF-8', reason: 'malformed_url' }));
}
