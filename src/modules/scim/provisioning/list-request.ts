import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import type { Attributes } from './attribute-value.js';
import { INVALID_VALUE } from './provisioning.errors.js';
import { parseFilter, type ScimFilter } from './scim-filter.js';
import { type AttributePath, attributePathOf, ENTERPRISE_SCHEMA } from './scim-path.js';

/** The most resources of an answer. */
export const MAXIMUM_COUNT = 200;

const DEFAULT_COUNT = 100;

/** The most attributes that an answer is narrowed by. */
const MAXIMUM_ATTRIBUTES = 100;

/** Which resources a list has (RFC 7644, section 3.4.2). */
export interface ListRequest {
  readonly filter: ScimFilter | undefined;
  /** Of the first resource, from 1. */
  readonly startIndex: number;
  /** 0 for the number of all resources alone. */
  readonly count: number;
  readonly view: View;
}

/** Which attributes an answer has. */
export interface View {
  readonly attributes: readonly AttributePath[] | undefined;
  readonly excluded: readonly AttributePath[];
}

/**
 * Reads the query of a list, or the body of a search. What is not known is ignored.
 *
 * @throws BadRequestError for a filter that is malformed, and for a number that is none
 */
export function readListRequest(input: Readonly<Record<string, unknown>>): ListRequest {
  const { filter } = input;
  if (filter !== undefined && filter !== null && typeof filter !== 'string')
    throw invalid('filter', 'must be a string');
  return {
    filter: filter === undefined || filter === null ? undefined : parseFilter(filter),
    startIndex: Math.max(1, numberIn(input, 'startIndex', 1)),
    count: Math.min(Math.max(0, numberIn(input, 'count', DEFAULT_COUNT)), MAXIMUM_COUNT),
    view: readView(input),
  };
}

/** Reads which attributes an answer has: `attributes` and `excludedAttributes`. What does not parse is ignored. */
export function readView({ attributes, excludedAttributes }: Readonly<Record<string, unknown>>): View {
  return { attributes: pathsIn(attributes), excluded: pathsIn(excludedAttributes) ?? [] };
}

/** Whether an attribute that takes work to read is asked for. @param name in lower case */
export function isShown(view: View, name: string): boolean {
  if (view.attributes !== undefined) return isAskedFor(view, name);
  return !view.excluded.some((path) => isOf(path, name) && path.sub === undefined);
}

/** Whether an attribute, or a part of it, is asked for by its name. @param name in lower case */
export function isAskedFor({ attributes }: View, name: string): boolean {
  return attributes?.some((path) => isOf(path, name)) === true;
}

function isOf(path: AttributePath, name: string): boolean {
  return path.attribute === name && !path.isEnterprise;
}

/** A resource with the attributes that are asked for; `schemas`, `id` and `meta` always stay. */
export function narrowed(resource: Attributes, { attributes, excluded }: View): Attributes {
  if (attributes !== undefined) return picked(resource, attributes);
  return excluded.length === 0 ? resource : without(resource, excluded);
}

const ALWAYS = ['schemas', 'id', 'meta'];

function picked(resource: Attributes, paths: readonly AttributePath[]): Attributes {
  return transformed(resource, paths, (value, named) => {
    if (named.length === 0) return undefined;
    const subs = named.flatMap(({ sub }) => (sub === undefined ? [] : [sub]));
    // Named as a whole at least once.
    if (subs.length < named.length) return value;
    return overValues(value, (one) => entriesWhere(one, (name) => subs.includes(name.toLowerCase())));
  });
}

function without(resource: Attributes, paths: readonly AttributePath[]): Attributes {
  return transformed(resource, paths, (value, named) => {
    if (named.some(({ sub }) => sub === undefined)) return undefined;
    const subs = named.map(({ sub }) => sub);
    return named.length === 0
      ? value
      : overValues(value, (one) => entriesWhere(one, (name) => !subs.includes(name.toLowerCase())));
  });
}

/** @param change of one attribute, with the paths that name it; what becomes undefined is left out */
function transformed(
  resource: Attributes,
  paths: readonly AttributePath[],
  change: (value: unknown, named: readonly AttributePath[]) => unknown,
): Attributes {
  const level = (attributes: Attributes, isEnterprise: boolean): Attributes =>
    Object.fromEntries(
      Object.entries(attributes).flatMap(([name, value]) => {
        if (!isEnterprise && ALWAYS.includes(name)) return [[name, value]];
        const named = paths.filter(
          (path) => path.isEnterprise === isEnterprise && path.attribute === name.toLowerCase(),
        );
        const changed = name === ENTERPRISE_SCHEMA ? filled(level(value as Attributes, true)) : change(value, named);
        return changed === undefined ? [] : [[name, changed]];
      }),
    );
  return level(resource, false);
}

function filled(attributes: Attributes): Attributes | undefined {
  return Object.keys(attributes).length === 0 ? undefined : attributes;
}

function overValues(value: unknown, change: (one: Attributes) => Attributes): unknown {
  if (Array.isArray(value)) return value.map((one: Attributes) => change(one));
  return typeof value === 'object' && value !== null ? change(value as Attributes) : value;
}

function entriesWhere(attributes: Attributes, isKept: (name: string) => boolean): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isKept(name)));
}

/** A list of names, in one text with commas or several. */
function pathsIn(value: unknown): AttributePath[] | undefined {
  const names = typeof value === 'string' ? value.split(',', MAXIMUM_ATTRIBUTES) : value;
  if (!Array.isArray(names)) return undefined;
  const paths = names.slice(0, MAXIMUM_ATTRIBUTES).flatMap((name: unknown) => {
    const path = typeof name === 'string' ? attributePathOf(name.trim()) : undefined;
    return path === undefined ? [] : [path];
  });
  return paths.length === 0 ? undefined : paths;
}

/** A whole number of a query, where it is a text, or of a body. */
function numberIn(input: Readonly<Record<string, unknown>>, name: string, absent: number): number {
  const value = input[name];
  if (value === undefined || value === null || value === '') return absent;
  const number = typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw invalid(name, 'must be an integer');
  // Beyond the end of every list anyway.
  return Math.min(number, Number.MAX_SAFE_INTEGER);
}

function invalid(name: string, message: string): BadRequestError {
  return BadRequestError.of([INVALID_VALUE.at(name, message)]);
}
