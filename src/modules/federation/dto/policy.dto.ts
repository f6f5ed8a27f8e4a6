import type { IssueWithReason } from '../../../http/errors/issue.js';
import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { BooleanField, TextField, TimestampField, UuidField } from '../../../http/validation/fields.js';
import { PathIdField } from '../../../http/validation/id-fields.js';
import { Rules } from '../../../http/validation/rules.js';
import { MAXIMUM_CLAIM_LENGTH, MAXIMUM_CONDITION_LENGTH } from '../federation-settings.js';
import { INVALID_CONDITION } from '../federation.errors.js';
import { conditionIssue } from '../policies/condition.js';

const ID = 'fp-031f7GbuPo0GnCsEhZdbqU-019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f81';

const KEY_HASH = 'f01d52606dc8f0a8303a7b5cc3fa07109c2e346cec7c0a16b40de462992ce943';

const CLAIM = { minLength: 1, maxLength: MAXIMUM_CLAIM_LENGTH } as const;

const FIELDS = {
  name: { description: 'The name of the policy.', example: 'Deployments', minLength: 1, maxLength: 100 },
  issuer: { description: 'The issuer of the tokens.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f80' },
  key: {
    description:
      'The API key that exchanged tokens act as, by its hash: its limits, guardrails, workspace and records are theirs. It must not be one that a Connect client has made.',
    example: KEY_HASH,
  },
  subject: {
    description: 'The claim `sub`, exactly; null where `condition` alone decides. One of the two must be set.',
    example: 'repo:acme/app:ref:refs/heads/main',
    ...CLAIM,
    nullable: true,
  },
  audience: {
    description: 'One of the values of the claim `aud`, exactly.',
    example: 'https://gateway.example.com',
    ...CLAIM,
  },
  condition: {
    description:
      'An expression of the Common Expression Language over `subject`, `audience`, `scopes` and `token_type` that must be true; null for none. Regular expressions, `+`, and macros within macros are not accepted.',
    example: 'subject.startsWith("repo:acme/")',
    minLength: 1,
    maxLength: MAXIMUM_CONDITION_LENGTH,
    nullable: true,
  },
  scope: {
    description: 'What the list in the claim `scopes` must contain; null for anything.',
    example: null,
    ...CLAIM,
    nullable: true,
  },
  tokenType: {
    description: 'The claim `token_type`, exactly; null for any.',
    example: null,
    ...CLAIM,
    nullable: true,
  },
  enabled: { description: 'Whether tokens are exchanged. Those that were issued before stay valid.', example: true },
} as const;

type Body = Readonly<Record<string, unknown>>;

function acceptableCondition(body: Body): IssueWithReason[] {
  const condition = body['condition'];
  if (typeof condition !== 'string' || condition.length > MAXIMUM_CONDITION_LENGTH) return [];
  const issue = conditionIssue(condition);
  return issue === undefined ? [] : [INVALID_CONDITION.at('condition', issue)];
}

/** A policy without subject and condition would take every token of its issuer. */
export function narrowed(body: Body): IssueWithReason[] {
  const isNarrowed = ['subject', 'condition'].some((field) => (body[field] ?? null) !== null);
  return isNarrowed ? [] : [{ path: 'subject', message: 'is required without a condition' }];
}

/** Which policy. */
export class FederationPolicyPath {
  @PathIdField('The id of the policy.', ID)
  id: string;
}

/** Which tokens of an issuer are exchanged, and for what (docs/interface/token-exchange.md#policies). */
export class FederationPolicy {
  @TextField({ description: 'The id of the policy: the `federation_policy_id` of an exchange.', example: ID })
  id: string;

  @TextField(FIELDS.name)
  name: string;

  @UuidField(FIELDS.issuer)
  issuer_id: string;

  @TextField(FIELDS.key)
  key_hash: string;

  @TextField(FIELDS.subject)
  subject: string | null;

  @TextField(FIELDS.audience)
  audience: string;

  @TextField(FIELDS.condition)
  condition: string | null;

  @TextField(FIELDS.scope)
  required_scope: string | null;

  @TextField(FIELDS.tokenType)
  required_token_type: string | null;

  @BooleanField(FIELDS.enabled)
  enabled: boolean;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** A request for a new policy. */
@Rules(acceptableCondition, narrowed)
@SchemaExample({
  name: 'Deployments',
  issuer_id: FIELDS.issuer.example,
  key_hash: KEY_HASH,
  subject: FIELDS.subject.example,
  audience: FIELDS.audience.example,
})
export class CreateFederationPolicyRequest {
  @TextField(FIELDS.name)
  name: string;

  @UuidField(FIELDS.issuer)
  issuer_id: string;

  @TextField(FIELDS.key)
  key_hash: string;

  @TextField({ ...FIELDS.subject, optional: true })
  subject?: string | null;

  @TextField(FIELDS.audience)
  audience: string;

  @TextField({ ...FIELDS.condition, optional: true })
  condition?: string | null;

  @TextField({ ...FIELDS.scope, optional: true })
  required_scope?: string | null;

  @TextField({ ...FIELDS.tokenType, optional: true })
  required_token_type?: string | null;

  @BooleanField({ ...FIELDS.enabled, optional: true, default: true })
  enabled?: boolean;
}

/** A request to change a policy; its issuer stays. */
@Rules(acceptableCondition)
@SchemaExample({ enabled: false })
export class UpdateFederationPolicyRequest {
  @TextField({ ...FIELDS.name, optional: true })
  name?: string;

  @TextField({ ...FIELDS.key, optional: true })
  key_hash?: string;

  @TextField({ ...FIELDS.subject, optional: true })
  subject?: string | null;

  @TextField({ ...FIELDS.audience, optional: true })
  audience?: string;

  @TextField({ ...FIELDS.condition, optional: true })
  condition?: string | null;

  @TextField({ ...FIELDS.scope, optional: true })
  required_scope?: string | null;

  @TextField({ ...FIELDS.tokenType, optional: true })
  required_token_type?: string | null;

  @BooleanField({ ...FIELDS.enabled, optional: true })
  enabled?: boolean;
}

/** The answer to createFederationPolicy. */
export class CreateFederationPolicyResponse extends DataOf(FederationPolicy) {}

/** The answer to listFederationPolicies. */
export class ListFederationPoliciesResponse extends PageOf(FederationPolicy) {}

/** The answer to getFederationPolicy. */
export class GetFederationPolicyResponse extends DataOf(FederationPolicy) {}

/** The answer to updateFederationPolicy. */
export class UpdateFederationPolicyResponse extends DataOf(FederationPolicy) {}

/** The answer to deleteFederationPolicy. */
export class DeleteFederationPolicyResponse extends Deleted('Always true: the policy was deleted.') {}
