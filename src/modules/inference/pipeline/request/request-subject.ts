import type { GatehouseRequest } from '../../../../http/request.js';
import { type Labels, LABELS_HEADER, labelsOfRequest } from '../../../labels/labels.js';
import { EndUserNotAllowed } from '../../inference.errors.js';
import type { RequestContext } from '../context/request-context.repository.js';
import type { RoutedBody } from './operation.js';

/** For whom a request is, as it says itself (docs/interface/labels.md). */
export interface NamedSubject {
  readonly externalUser: string | null;
  readonly sessionId: string | null;
  /** The header with its labels; undefined for none. */
  readonly labelsHeader: string | undefined;
}

/** For whom a request is. */
export interface RequestSubject {
  /** The end user; null where none is known. */
  readonly externalUser: string | null;
  /** Undefined for none. */
  readonly labels: Labels | undefined;
}

/** The subject of what names none. */
export const NO_SUBJECT: NamedSubject = { externalUser: null, sessionId: null, labelsHeader: undefined };

/** For whom a request is: its body wins over its headers. @param http absent for a request that is only tried */
export function namedSubjectOf({ user, session_id: session }: RoutedBody, http?: GatehouseRequest): NamedSubject {
  return {
    externalUser: user ?? null,
    sessionId: session ?? sessionHeaderOf(http) ?? null,
    labelsHeader: headerOf(http, LABELS_HEADER.toLowerCase()),
  };
}

/**
 * For whom a request is, under what its key and workspace say.
 *
 * @throws EndUserNotAllowed for a user that the key is not bound to
 * @throws BadRequestError for a header of labels that cannot be read, or names some that are not allowed
 */
export function subjectOf(
  { externalUser: named, labelsHeader: header }: NamedSubject,
  { metadata }: RoutedBody,
  { keyLabels: ofKey, boundUser, allowedLabels: allowed }: RequestContext,
): RequestSubject {
  if (boundUser !== null && named !== null && named !== boundUser) throw new EndUserNotAllowed();
  return { externalUser: named ?? boundUser, labels: labelsOfRequest({ ofKey, header, metadata, allowed }) };
}

/** The longest session that a header names, in characters. */
const LONGEST_SESSION = 256;

function sessionHeaderOf(http: GatehouseRequest | undefined): string | undefined {
  const session = headerOf(http, 'x-session-id');
  return session !== undefined && session.length <= LONGEST_SESSION ? session : undefined;
}

function headerOf(http: GatehouseRequest | undefined, name: string): string | undefined {
  const value = http?.headers[name];
  return typeof value === 'string' ? value : undefined;
}
