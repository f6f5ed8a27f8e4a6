import type { Issue } from '../../../http/errors/issue.js';
import { inspectText } from '../../../http/input/text-inspection.js';
import { rulesOf } from '../../../http/validation/rules.js';
import { validateDto } from '../../../http/validation/validate.js';
import { CreateAuthKeysCodeRequest } from '../codes/authorization-code.dto.js';
import { parsesAsUrl } from '../../../config/parses-as-url.js';

/** The fields of a query or a form, each of which was sent once. */
export type ConsentFields = ReadonlyMap<string, string>;

/** The longest `state`, in characters: it stands in an address again. */
const MAXIMUM_STATE_LENGTH = 1_000;

/** What a code for no callback is checked as: one that goes to a program on the same machine. */
const IN_PLACE_OF_CALLBACK = 'http://localhost/';

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|$)/i;

/** What the application has said, which the person cannot change: it is part of the token of the page. */
export const FIXED_FIELDS = [
  'callback_url',
  'code_challenge',
  'code_challenge_method',
  'state',
  'oauth_client_id',
  'spawn_agent',
  'spawn_cloud',
] as const;

/** What the application has proposed, and the person decides. */
export const PROPOSED_FIELDS = ['key_label', 'workspace_id', 'limit', 'usage_limit_type', 'expires_at'] as const;

type FixedField = (typeof FIXED_FIELDS)[number];

/** What an application asks for (docs/interface/consent.md#for-applications). */
export interface ConsentRequest {
  /** What the application has said. */
  readonly fixed: Readonly<Partial<Record<FixedField, string>>>;
  /** Where the code is sent; null where it is shown on the screen. */
  readonly callbackUrl: string | null;
  /** Whether the callback is on the machine of the person. */
  readonly isLoopback: boolean;
  /** Whether the exchange of the code needs a proof of having asked for it that cannot have been overheard (RFC 7636, S256). */
  readonly hasProof: boolean;
  /** The code and the key, as far as the request is valid. */
  readonly code: Omit<CreateAuthKeysCodeRequest, 'callback_url'>;
}

/** A request that was read, and what is wrong with the fields that a person can change. */
export interface ConsentReading {
  readonly request: ConsentRequest;
  /** By the names of the fields. */
  readonly issues: readonly Issue[];
}

/** Why a request cannot be shown at all: its application has made it wrong. */
export interface ConsentRefusal {
  readonly refusal: string;
}

/**
 * Reads what an application asks for, from the query of the page or from its form. The same rules hold as for codes that are made by the
 * operation `createAuthKeysCode`.
 *
 * @param fields undefined where one was sent twice
 */
export function readConsentRequest(fields: ConsentFields | undefined): ConsentReading | ConsentRefusal {
  if (fields === undefined) return { refusal: 'A parameter is there twice.' };
  const given = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.flatMap((name) => (fields.get(name) ? [[name, fields.get(name)!]] : [])));
  const fixed: Partial<Record<FixedField, string>> = given(FIXED_FIELDS);
  const {
    callback_url: callbackUrl,
    state,
    oauth_client_id: clientId,
    ...code
  } = { ...fixed, ...valuesOf(given(PROPOSED_FIELDS)) };
  const checked = { ...code, callback_url: callbackUrl ?? IN_PLACE_OF_CALLBACK };
  const issues = [
    ...inspectText({ ...checked, state: state ?? '', oauth_client_id: clientId ?? '' }),
    ...validateDto(CreateAuthKeysCodeRequest, checked),
    ...rulesOf(CreateAuthKeysCodeRequest).flatMap((rule) => rule(checked)),
    ...((state ?? '').length > MAXIMUM_STATE_LENGTH ? [{ path: 'state', message: 'is too long' }] : []),
  ];
  const isProposed = ({ path }: Issue): boolean => (PROPOSED_FIELDS as readonly string[]).includes(path);
  const fatal = issues.find((issue) => !isProposed(issue));
  if (fatal !== undefined) return { refusal: `${fatal.path} ${fatal.message}.` };
  if (callbackUrl !== undefined && !parsesAsUrl(callbackUrl)) return { refusal: 'callback_url is not a URL.' };
  const hasProof = fixed.code_challenge !== undefined && fixed.code_challenge_method === 'S256';
  if (callbackUrl === undefined && (!hasProof || clientId !== undefined)) {
    return {
      refusal:
        'Without a callback_url, a code_challenge of the method S256 is required, and no oauth_client_id is taken.',
    };
  }
  const request: ConsentRequest = {
    fixed,
    callbackUrl: callbackUrl ?? null,
    isLoopback: callbackUrl === undefined || LOOPBACK.test(callbackUrl),
    hasProof,
    code: code as ConsentRequest['code'],
  };
  return { request, issues: issues.filter(isProposed) };
}

/** Fields of forms as operations take them: a limit is a number, and a time has its zone. */
function valuesOf(fields: Record<string, string>): Record<string, unknown> {
  const { limit, expires_at: expiresAt, ...others } = fields;
  return {
    ...others,
    ...(limit !== undefined && { limit: /^\d{1,15}(?:\.\d{1,15})?$/.test(limit) ? Number(limit) : limit }),
    // What a browser sends for a time that is entered, which the page says is in UTC.
    ...(expiresAt !== undefined && {
      expires_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(expiresAt) ? `${expiresAt}:00Z` : expiresAt,
    }),
  };
}

/**
 * The address that the browser goes to with an answer: the callback as it was registered, with further parameters behind its own.
 *
 * @param parameters those that are undefined are left out
 */
export function answerAddress(callbackUrl: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${callbackUrl}${callbackUrl.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
