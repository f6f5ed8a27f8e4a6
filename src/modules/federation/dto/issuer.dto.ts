import type { IssueWithReason } from '../../../http/errors/issue.js';
import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import {
  EnumField,
  FreeObjectListField,
  ObjectField,
  TextField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { PathIdField } from '../../../http/validation/id-fields.js';
import { Rules } from '../../../http/validation/rules.js';
import { JWKS_TYPES, type JwksType } from '../federation-settings.js';

/** The public key of RFC 7515, A.3.1, as examples show it: a point of the curve. */
export const EXAMPLE_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
} as const;

const ID = '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f80';

const MAXIMUM_URL_LENGTH = 2_048;

const KEY = { ...EXAMPLE_KEY, kid: 'key-1' };

const FIELDS = {
  name: { description: 'The name of the issuer.', example: 'GitHub Actions', minLength: 1, maxLength: 100 },
  issuer: {
    description:
      'The claim `iss` of its tokens, exactly: an https URL. With `discovery` its keys are found from there, so it must be a public address.',
    example: 'https://token.actions.githubusercontent.com',
    maxLength: MAXIMUM_URL_LENGTH,
    format: 'uri',
  },
  jwks: { description: 'Where its keys are.', example: { type: 'discovery', url: null, keys: null } },
} as const;

type Body = Readonly<Record<string, unknown>>;

const GIVEN_WITH: Readonly<Record<string, JwksType>> = { url: 'explicit_url', keys: 'inline' };

/** A URL and keys are given where they are what the type says, and nowhere else. */
function fieldsOfItsType(body: Body): IssueWithReason[] {
  const jwks = body['jwks'];
  if (typeof jwks !== 'object' || jwks === null) return [];
  const { type, ...values } = jwks as Body;
  return Object.entries(GIVEN_WITH).flatMap(([field, owner]) => {
    const isGiven = (values[field] ?? null) !== null;
    if (isGiven === (type === owner)) return [];
    return [
      { path: `jwks.${field}`, message: isGiven ? `is for the type ${owner}` : `is required with the type ${owner}` },
    ];
  });
}

/** Where the keys of an issuer are. */
export class FederationJwks {
  @EnumField(JWKS_TYPES, {
    description:
      '`discovery`: where the document at `<issuer>/.well-known/openid-configuration` says; `explicit_url`: at `url`; `inline`: in `keys`, for issuers that cannot be reached.',
    example: 'discovery',
  })
  type: JwksType;

  @TextField({
    description: 'With `explicit_url`: the https URL of a JWK Set (RFC 7517).',
    example: null,
    maxLength: MAXIMUM_URL_LENGTH,
    format: 'uri',
    optional: true,
    nullable: true,
  })
  url?: string | null;

  @FreeObjectListField({
    description: 'With `inline`: public keys as JWK (RFC 7517), EC of the curve P-256 or RSA from 2,048 bits on.',
    example: [KEY],
    minItems: 1,
    maxItems: 20,
    optional: true,
    nullable: true,
  })
  keys?: readonly object[] | null;
}

/** Which issuer. */
export class FederationIssuerPath {
  @PathIdField('The id of the issuer.', ID)
  id: string;
}

/** An issuer whose tokens an organization exchanges (docs/interface/token-exchange.md#issuers). */
export class FederationIssuer {
  @UuidField({ description: 'The id of the issuer.', example: ID })
  id: string;

  @TextField(FIELDS.name)
  name: string;

  @TextField(FIELDS.issuer)
  issuer: string;

  @ObjectField(() => FederationJwks, FIELDS.jwks)
  jwks: FederationJwks;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** A request for a new issuer. */
@BodyLimit(BODY_LIMITS.medium)
@Rules(fieldsOfItsType)
@SchemaExample({ name: 'GitHub Actions', issuer: FIELDS.issuer.example, jwks: { type: 'discovery' } })
export class CreateFederationIssuerRequest {
  @TextField(FIELDS.name)
  name: string;

  @TextField(FIELDS.issuer)
  issuer: string;

  @ObjectField(() => FederationJwks, FIELDS.jwks)
  jwks: FederationJwks;
}

/** A request to change an issuer; the claim stays. */
@BodyLimit(BODY_LIMITS.medium)
@Rules(fieldsOfItsType)
@SchemaExample({ jwks: { type: 'inline', keys: [KEY] } })
export class UpdateFederationIssuerRequest {
  @TextField({ ...FIELDS.name, optional: true })
  name?: string;

  @ObjectField(() => FederationJwks, { ...FIELDS.jwks, optional: true })
  jwks?: FederationJwks;
}

/** The answer to createFederationIssuer. */
export class CreateFederationIssuerResponse extends DataOf(FederationIssuer) {}

/** The answer to listFederationIssuers. */
export class ListFederationIssuersResponse extends PageOf(FederationIssuer) {}

/** The answer to getFederationIssuer. */
export class GetFederationIssuerResponse extends DataOf(FederationIssuer) {}

/** The answer to updateFederationIssuer. */
export class UpdateFederationIssuerResponse extends DataOf(FederationIssuer) {}

/** The answer to deleteFederationIssuer. */
export class DeleteFederationIssuerResponse extends Deleted('Always true: the issuer was deleted.') {}
