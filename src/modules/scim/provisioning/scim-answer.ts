import type { ErrorEnvelope } from '../../../http/errors/error-envelope.js';
import { MediaAnswer } from '../../../http/media-answer.js';
import { PROVISIONING_ERRORS } from './provisioning.errors.js';
import { OperationOfProtocol, type ErrorWriter } from '../../../http/openapi/operation.decorator.js';

/** The media type of all answers (RFC 7644, section 8.1). */
const SCIM_TYPE = 'application/scim+json; charset=utf-8';

/** The media types of requests: Okta's own tests send that of JSON. */
const REQUEST_TYPES = ['application/scim+json', 'application/json'];

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The most characters of `detail`, which administrators read in the log of their directory. */
const MAXIMUM_DETAIL = 1_000;

/** `scimType` of the reasons that have one (RFC 7644, table 9). */
const SCIM_TYPES: Readonly<Record<string, string>> = {
  scim_invalid_filter: 'invalidFilter',
  scim_invalid_path: 'invalidPath',
  scim_invalid_syntax: 'invalidSyntax',
  scim_no_target: 'noTarget',
  scim_mutability: 'mutability',
  scim_attribute_taken: 'uniqueness',
  malformed_json: 'invalidSyntax',
  malformed_body: 'invalidSyntax',
  unsupported_content_type: 'invalidSyntax',
};

/** What an administrator of a directory can do about a refusal whose message is about API keys elsewhere. */
const DETAILS: Readonly<Record<string, string>> = {
  missing_credential: 'There is no Authorization header: it must be "Bearer <provisioning token>".',
  malformed_credential: 'The Authorization header must be "Bearer <provisioning token>".',
  invalid_credential: 'There is no such provisioning token.',
  credential_expired: 'The provisioning token has expired.',
  credential_disabled: 'The credential is disabled.',
  credential_suspended: 'The credential is suspended.',
  credential_kind_not_allowed: 'Only provisioning tokens are accepted here: "gatehouse scim token create" makes one.',
};

/** The body of a failure (RFC 7644, section 3.12). */
export class ScimError {
  schemas: string[];
  /** The HTTP status, as text. */
  status: string;
  scimType?: string;
  detail: string;
}

/** Writes a failure as SCIM has it, with the reason in front of what an administrator reads. */
function errorOf({ error: { code, message, metadata } }: ErrorEnvelope): ScimError {
  const reason = typeof metadata?.['reason'] === 'string' ? metadata['reason'] : undefined;
  const issues = (metadata?.['issues'] ?? []) as readonly { readonly path: string; readonly message: string }[];
  const explained = issues.slice(0, 10).map((issue) => `${issue.path} ${issue.message}`.trim());
  const text = [(reason !== undefined && DETAILS[reason]) || message, ...explained].join('; ');
  const detail = `${reason === undefined ? '' : `[${reason}] `}${text}`.slice(0, MAXIMUM_DETAIL).toWellFormed();
  const scimType = (reason !== undefined && SCIM_TYPES[reason]) || (code === 400 ? 'invalidValue' : undefined);
  return { schemas: [ERROR_SCHEMA], status: String(code), ...(scimType !== undefined && { scimType }), detail };
}

const ERROR_WRITER: ErrorWriter = { type: ScimError, write: errorOf, contentType: SCIM_TYPE };

/** Declares a method of a controller as an operation of SCIM, which answers with {@link scimAnswer}. */
export function ScimOperation(): MethodDecorator {
  return OperationOfProtocol({ bodyTypes: REQUEST_TYPES, errorWriter: ERROR_WRITER, errors: PROVISIONING_ERRORS });
}

interface ResourceHeaders {
  readonly location?: string;
  /** The version of the resource, as its entity tag. */
  readonly version?: string;
}

/** An answer of SCIM. @param body undefined for a 204 */
export function scimAnswer(status: number, body?: object, { location, version }: ResourceHeaders = {}): MediaAnswer {
  const headers = [
    ...(location === undefined ? [] : ['Location', location]),
    ...(version === undefined ? [] : ['ETag', version]),
  ];
  return new MediaAnswer(status, SCIM_TYPE, body, headers);
}

/** A list of resources, also of none or one (RFC 7644, section 3.4.2). @param startIndex of the first, from 1 */
export function listResponse(resources: readonly object[], totalResults = resources.length, startIndex = 1): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
