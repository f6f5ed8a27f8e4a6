import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { type Issue, type IssueWithReason, joinPath } from '../errors/issue.js';
import type { JsonSchema } from '../openapi/json-schema.js';
import { isObject } from '../validation/constraints.js';
import {
  AS_SENT_EXTENSION,
  type DtoClass,
  type DtoField,
  fieldsOf,
  PUBLIC_ONLY_EXTENSION,
} from '../validation/dto-fields.js';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { operationOf } from '../openapi/operation.decorator.js';
import { itemOf } from '../openapi/response-envelopes.js';

const VENDOR_FIELDS = ['enforce_zdr_vendor_a', 'enforce_zdr_vendor_b', 'enforce_zdr_vendor_c', 'enforce_zdr_vendor_d'];

/** The fields and headers that name the maker of the public interface, by their names in the default dialect. */
const ROUTER_METADATA_FIELD = ['router_metadata', 'openrouter_metadata'] as const;

/** The first name is the present one, which is documented. */
const PUBLIC_HEADERS: Readonly<Record<RenamedHeader, readonly string[]>> = {
  'X-Router-Metadata': ['X-OpenRouter-Metadata', 'X-OpenRouter-Experimental-Metadata'],
};

/** The headers about the cache of answers (docs/response-cache.md), of requests and of answers. */
export interface CacheHeaderNames {
  readonly request: Readonly<Record<'use' | 'ttl' | 'clear', string>>;
  readonly answer: Readonly<Record<'status' | 'age' | 'ttl' | 'source', string>>;
}

function cacheHeaderNames(name: string, status: string): CacheHeaderNames {
  return {
    request: { use: name, ttl: `${name}-TTL`, clear: `${name}-Clear` },
    answer: { status, age: `${name}-Age`, ttl: `${name}-TTL`, source: `${name}-Source-Id` },
  };
}

/** The names of cache headers in the default dialect. */
export const CACHE_HEADERS = cacheHeaderNames('X-Cache', 'X-Cache');

const PUBLIC_CACHE_HEADERS = cacheHeaderNames('X-OpenRouter-Cache', 'X-OpenRouter-Cache-Status');

/** A header of an answer in the OpenAPI document. */
interface DocumentedHeader {
  readonly description: string;
  readonly schema: JsonSchema;
}

/** A request header that has another name in the public dialect. */
export type RenamedHeader = 'X-Router-Metadata';

/** A time that answers can have: in UTC, and no finer than they are. */
const AS_ANSWERED = /^[^.]+(?:\.\d{1,3}0*)?(?:[Zz]|[+-]00:00)$/;

/**
 * The points in which the interface depends on API_DIALECT (docs/interface/conventions.md#dialects). All other code uses the names of the
 * default dialect.
 */
@Injectable()
export class Dialect {
  readonly isPublic: boolean;
  private readonly toWire: ReadonlyMap<string, string>;
  /** The field names of the two dialects, mapped in both directions, so that no two fields of a body get the same name. */
  private readonly exchanged: ReadonlyMap<string, string>;

  constructor(environment: Environment) {
    this.isPublic = environment.apiDialect === 'public';
    const pairs = this.isPublic
      ? [
          ...VENDOR_FIELDS.map((field, index) => [field, vendorFieldName(environment.zdrVendors[index]!)] as const),
          ROUTER_METADATA_FIELD,
        ]
      : [];
    this.toWire = new Map(pairs);
    this.exchanged = new Map(pairs.flatMap(([field, name]) => [[field, name] as const, [name, field] as const]));
  }

  /** What the public dialect refuses of a request because its answers would have it in another form ({@link DtoField.asSent}). */
  formIssues(type: DtoClass, values: unknown): Issue[] {
    if (!this.isPublic || !isObject(values)) return [];
    return [...fieldsOf(type)].flatMap(([name, { asSent }]) => {
      const value = values[name];
      if (asSent === 'time' && typeof value === 'string' && !AS_ANSWERED.test(value)) {
        return [
          {
            path: name,
            message: 'must be in UTC, with Z or without an offset but zero, and not finer than milliseconds',
          },
        ];
      }
      return asSent === 'list' && Array.isArray(value) ? repetitionIssues(name, value) : [];
    });
  }

  /**
   * Translates the field names of a request body, and of the objects in its fields, to those of their classes. A name of the
   * default dialect becomes an unknown field.
   */
  read(type: DtoClass, body: unknown): unknown {
    if (!this.isPublic || !isObject(body)) return body;
    const fields = fieldsOf(type);
    const inside = objectsIn(fields, body)
      .map(([name, nested]) => [name, this.read(nested, body[name])] as const)
      .filter(([name, value]) => value !== body[name]);
    const translated = inside.length === 0 ? body : { ...body, ...Object.fromEntries(inside) };
    return this.concerns(fields.keys()) ? renameKeys(translated, this.exchanged) : translated;
  }

  /** Translates the paths of issues to the names that the caller used. */
  writePaths(type: DtoClass, issues: readonly IssueWithReason[]): readonly IssueWithReason[] {
    if (issues.length === 0 || !this.isPublic) return issues;
    const paths = new Map(this.exchangedPaths(type));
    return paths.size === 0 ? issues : issues.map((issue) => ({ ...issue, path: paths.get(issue.path) ?? issue.path }));
  }

  /** Translates the field names of a response. */
  write(answer: object): object {
    return this.isPublic ? renameKeys(answer, this.toWire) : answer;
  }

  /**
   * What an answer of a class has in this dialect. The fields that only the public one has are not in the default one, and not where nothing
   * of them is set.
   */
  shown<Answer extends object>(type: DtoClass<Answer>, answer: Answer): Answer {
    const hidden = new Set([...fieldsOf(type)].flatMap(([name, field]) => (field.isPublicOnly ? [name] : [])));
    const isSet = Object.entries(answer).some(([name, value]) => hidden.has(name) && value !== null);
    if (this.isPublic && isSet) return answer;
    return Object.fromEntries(Object.entries(answer).filter(([name]) => !hidden.has(name))) as Answer;
  }

  /** The names of the headers about the cache of answers. */
  get cacheHeaders(): CacheHeaderNames {
    return this.isPublic ? PUBLIC_CACHE_HEADERS : CACHE_HEADERS;
  }

  /** What the cache of answers has done, as the header of an answer says it. */
  cacheStatus(status: string): string {
    return this.isPublic ? status.toUpperCase() : status;
  }

  /** The names that a request header may have, in the case in which they are documented: the present one first. */
  headerNames(header: RenamedHeader): readonly string[] {
    return this.isPublic ? PUBLIC_HEADERS[header] : [header];
  }

  /** The name under which a request header is documented. */
  documentedHeader(name: string): string {
    if (Object.hasOwn(PUBLIC_HEADERS, name)) return this.headerNames(name as RenamedHeader)[0]!;
    return renamedHeader(name, CACHE_HEADERS.request, this.cacheHeaders.request);
  }

  /** The headers of an answer as they are documented. */
  documentedAnswerHeaders(headers: Readonly<Record<string, DocumentedHeader>>): Record<string, DocumentedHeader> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, header]) => [
        renamedHeader(name, CACHE_HEADERS.answer, this.cacheHeaders.answer),
        name === CACHE_HEADERS.answer.status ? this.withCacheStatuses(header) : header,
      ]),
    );
  }

  /** Whether the document shows a field or parameter, by its schema. */
  shows(schema: object): boolean {
    return this.isPublic || !(PUBLIC_ONLY_EXTENSION in schema);
  }

  /** The schema of a field or parameter as it is documented. */
  documentedField(schema: JsonSchema): JsonSchema {
    const { [PUBLIC_ONLY_EXTENSION]: _shown, [AS_SENT_EXTENSION]: asSent, ...rest } = schema as Record<string, unknown>;
    const form =
      asSent === true && this.isPublic
        ? 'items' in rest
          ? { uniqueItems: true }
          : { pattern: AS_ANSWERED.source }
        : {};
    return { ...rest, ...form };
  }

  /** The schemas of classes, with the fields that this dialect has. */
  offeredSchemas(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
    const shown = Object.entries(schemas).filter(([, schema]) => this.shows(schema));
    return Object.fromEntries(
      shown.map(([name, schema]) => {
        const { [PUBLIC_ONLY_EXTENSION]: _shown, ...rest } = schema as Record<string, unknown> & JsonSchema;
        const { properties, required } = rest;
        if (properties === undefined) return [name, rest];
        const left = Object.entries(properties).filter(([, property]) => this.shows(property));
        const names = new Set(left.map(([field]) => field));
        return [
          name,
          {
            ...rest,
            properties: Object.fromEntries(left.map(([field, property]) => [field, this.documentedField(property)])),
            ...(required && { required: required.filter((field) => names.has(field)) }),
          },
        ];
      }),
    );
  }

  /** Translates the field names in the schemas of the OpenAPI document. */
  schemas(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
    if (!this.isPublic) return schemas;
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.renameProperties(schema)]));
  }

  /** Whether any of the fields has another name in this dialect. */
  concerns(fields: Iterable<string>): boolean {
    return this.isPublic && [...fields].some((field) => this.toWire.has(field));
  }

  private withCacheStatuses(header: DocumentedHeader): DocumentedHeader {
    const statuses = header.schema.enum as readonly string[];
    return { ...header, schema: { ...header.schema, enum: statuses.map((status) => this.cacheStatus(status)) } };
  }

  /** The paths of the fields of a class and of the objects in its fields, in the two dialects. */
  private exchangedPaths(type: DtoClass, parent = ''): (readonly [string, string])[] {
    const fields = fieldsOf(type);
    const own = this.concerns(fields.keys()) ? [...this.exchanged] : [];
    return [
      ...own.map(([one, other]) => [joinPath(parent, one), joinPath(parent, other)] as const),
      ...objectsIn(fields, {}).flatMap(([name, nested]) => this.exchangedPaths(nested, joinPath(parent, name))),
    ];
  }

  private renameProperties(schema: JsonSchema): JsonSchema {
    if (!this.concerns(Object.keys(schema.properties ?? {}))) return schema;
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

/** The fields that hold one object, with its class. No class holds itself. @param holder what has the fields */
function objectsIn(
  fields: ReadonlyMap<string, DtoField>,
  holder: Readonly<Record<string, unknown>>,
): (readonly [string, DtoClass])[] {
  return [...fields].flatMap(([name, { nested }]) => {
    const type = nested?.maxItems === 0 ? nested.type(holder) : undefined;
    return type === undefined ? [] : [[name, type] as const];
  });
}

/** The name that a header of the default dialect has among others; itself where it is none of them. */
function renamedHeader<Use extends string>(
  name: string,
  ours: Readonly<Record<Use, string>>,
  others: Readonly<Record<Use, string>>,
): string {
  const use = (Object.keys(ours) as Use[]).find((candidate) => ours[candidate] === name);
  return use === undefined ? name : others[use];
}

/** An issue for each item of a list that stands in it before. */
function repetitionIssues(name: string, list: readonly unknown[]): Issue[] {
  const places = new Map<unknown, number>();
  return list.flatMap((item, index) => {
    const first = places.get(item);
    if (first === undefined) places.set(item, index);
    return first === undefined
      ? []
      : [{ path: joinPath(name, index), message: `must be there once, and is ${joinPath(name, first)}` }];
  });
}

function renameKeys(object: object, names: ReadonlyMap<string, string>): object {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value as unknown]));
}

/** Translates responses to the public dialect. Only registered with API_DIALECT=public. */
@Injectable()
export class DialectInterceptor implements NestInterceptor {
  constructor(private readonly dialect: Dialect) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const operation = operationOf(context.getHandler());
    if (operation === undefined) return next.handle();
    if (operation.publicStatus !== undefined)
      context.switchToHttp().getResponse<Response>().status(operation.publicStatus);
    if (!this.dialect.concerns(fieldsOf(itemOf(operation.type)).keys())) return next.handle();
    // Operations that write their answers themselves return nothing, and translate their fields themselves.
    const translated = (body: { data: object | object[] } | undefined): object | undefined =>
      body && { ...body, data: this.write(body.data) };
    return next.handle().pipe(map(translated));
  }

  private write(data: object | object[]): object | object[] {
    return Array.isArray(data) ? data.map((item: object) => this.dialect.write(item)) : this.dialect.write(data);
  }
}
