import express, { type Response } from 'express';
import type { GatehouseRequest } from '../request.js';

/** Forms of pages have a few short fields. */
const parse = express.urlencoded({ extended: false, limit: 16_384, parameterLimit: 50, type: isForm });

/** The fields of a form, each of which was sent once. */
export type FormFields = ReadonlyMap<string, string>;

/**
 * Reads the body of a form (application/x-www-form-urlencoded) of at most 16 KiB.
 *
 * @returns undefined for a body that is none, is larger, or has a field twice: two of them could be understood differently
 */
export async function readForm(request: GatehouseRequest): Promise<FormFields | undefined> {
  if (!isForm(request)) return undefined;
  const isRead = await new Promise<boolean>((resolve) => {
    parse(request, request.res as Response, (error?: unknown) => resolve(error === undefined));
  });
  if (!isRead) return undefined;
  const entries = Object.entries((request.body ?? {}) as Record<string, unknown>);
  return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
    ? new Map(entries)
    : undefined;
}

/** The parameters of a request's query. @returns undefined where one is there twice */
export function queryFields(request: GatehouseRequest): FormFields | undefined {
  const start = request.originalUrl.indexOf('?');
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(start === -1 ? '' : request.originalUrl.slice(start))) {
    if (fields.has(name)) return undefined;
    fields.set(name, value);
  }
  return fields;
}

function isForm({ headers }: { readonly headers: GatehouseRequest['headers'] }): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}
