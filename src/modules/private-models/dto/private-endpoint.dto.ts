import type { IssueWithReason } from '../../../http/errors/issue.js';
import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import {
  BooleanField,
  EnumField,
  IntegerField,
  ObjectField,
  ObjectListField,
  TextField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { PathIdField } from '../../../http/validation/id-fields.js';
import { Rules } from '../../../http/validation/rules.js';
import {
  DECLARED_REGIONS,
  type DeclaredRegion,
  PRIVATE_ENDPOINT_STATUSES,
  type PrivateEndpointStatus,
} from '../../catalog/private/private-endpoint.js';

/** Why a check of an endpoint fails, in the words of the public interface. */
export const CHECK_REASONS = [
  'workspace_not_found',
  'model_not_found',
  'invalid_base_url',
  'no_byok_key',
  'upstream_error',
  'invalid_response',
  'invalid_stream',
  'missing_usage',
] as const;

/** Why a check of an endpoint fails. */
export type CheckReason = (typeof CHECK_REASONS)[number];

const ID = '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f90';

const WORKSPACE_ID = '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61';

/** The longest price, in characters, which leaves room for any fraction of a dollar. */
const PRICE = { maxLength: 32, pattern: '^\\d+(\\.\\d+)?$' } as const;

const FIELDS = {
  model: {
    description: 'The model of the catalog: its canonical slug, or another name of it. It cannot be changed.',
    example: 'meta-llama/llama-3.3-70b-instruct',
    minLength: 1,
    maxLength: 256,
  },
  provider: {
    description: "The slug of one of the organization's own providers. It cannot be changed.",
    example: 'acme-vllm',
    minLength: 1,
    maxLength: 64,
  },
  upstreamModel: {
    description: "The server's own name of the model, which it gets in requests.",
    example: 'llama-70b',
    minLength: 1,
    maxLength: 512,
  },
  baseUrl: {
    description: 'Its address, as that of a provider; without one it has the address of the provider.',
    example: 'https://llama.example.com/v1',
    minLength: 1,
    maxLength: 2_048,
    format: 'uri',
  },
  region: { description: 'Where it works, as the organization says; shown and not checked.', example: 'europe' },
  zdr: {
    description:
      'Whether it retains nothing of requests, as the organization says. Null is unknown, which counts as no.',
    example: true,
  },
  pricing: {
    description: 'What a token costs. Without prices it cannot be activated; what costs nothing has prices of 0.',
    example: { prompt: '0.0000002', completion: '0.0000008' },
  },
  created: { description: 'When it was created.' },
} as const;

/** What a token costs at an endpoint of the organization's own. */
export class PrivateEndpointPricing {
  @TextField({ description: 'US dollars for a token of the prompt.', example: '0.0000002', ...PRICE })
  prompt: string;

  @TextField({ description: 'US dollars for a token of the answer.', example: '0.0000008', ...PRICE })
  completion: string;
}

/** Which endpoint. */
export class PrivateEndpointPath {
  @PathIdField('The id of the endpoint.', ID)
  id: string;
}

/** An endpoint of the organization's own, as lists have it. */
export class PrivateEndpointSummary {
  @UuidField({ description: 'The id of the endpoint.', example: ID })
  id: string;

  @EnumField(PRIVATE_ENDPOINT_STATUSES, {
    description: 'Only an active endpoint answers requests. A draft has never been active.',
    example: 'draft',
  })
  status: PrivateEndpointStatus;

  @TextField({ ...FIELDS.model, description: 'The canonical slug of the model.' })
  model_permaslug: string;

  @TextField({
    description: 'The id of the model; null if the catalog has lost it.',
    example: 'meta-llama/llama-3.3-70b-instruct',
    nullable: true,
  })
  model_slug: string | null;

  @TextField({
    description: 'The name of the model; null if the catalog has lost it.',
    example: 'Llama 3.3 70B',
    nullable: true,
  })
  model_name: string | null;

  @TextField({ description: 'The name of the provider.', example: 'Acme vLLM' })
  provider_name: string;

  @TimestampField(FIELDS.created)
  created_at: string;
}

/** An endpoint of the organization's own, as changes of its status answer it. */
export class ManagedPrivateEndpoint extends PrivateEndpointSummary {
  @BooleanField({ ...FIELDS.zdr, nullable: true })
  declared_zdr: boolean | null;

  @EnumField(DECLARED_REGIONS, { ...FIELDS.region, nullable: true })
  declared_region: DeclaredRegion | null;
}

/** An endpoint of the organization's own with its settings (docs/interface/private-models.md). */
export class PrivateEndpoint extends ManagedPrivateEndpoint {
  @TextField({ ...FIELDS.provider, description: 'The slug of the provider.' })
  provider_slug: string;

  @TextField({ ...FIELDS.baseUrl, description: 'Its address; null for that of the provider.', nullable: true })
  base_url: string | null;

  @TextField(FIELDS.upstreamModel)
  upstream_model_id: string;

  @ObjectField(() => PrivateEndpointPricing, { ...FIELDS.pricing, nullable: true })
  pricing: PrivateEndpointPricing | null;
}

/** With whose provider keys an endpoint is validated. */
export class ValidatePrivateEndpointRequest {
  @UuidField({ description: 'The workspace whose provider keys are used.', example: WORKSPACE_ID })
  workspace_id: string;
}

/** What is activated needs prices. */
function pricesToActivate({ activate, pricing }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  const isMissing = activate !== undefined && activate !== null && (pricing === undefined || pricing === null);
  return isMissing ? [{ path: 'pricing', message: 'is required with activate' }] : [];
}

/** A request for a new endpoint. */
@Rules(pricesToActivate)
@SchemaExample({
  model_permaslug: FIELDS.model.example,
  provider_slug: FIELDS.provider.example,
  upstream_model_id: FIELDS.upstreamModel.example,
  pricing: FIELDS.pricing.example,
})
export class CreatePrivateEndpointRequest {
  @TextField(FIELDS.model)
  model_permaslug: string;

  @TextField(FIELDS.provider)
  provider_slug: string;

  @TextField(FIELDS.upstreamModel)
  upstream_model_id: string;

  @TextField({ ...FIELDS.baseUrl, optional: true })
  base_url?: string;

  @EnumField(DECLARED_REGIONS, { ...FIELDS.region, optional: true, nullable: true })
  declared_region?: DeclaredRegion | null;

  @BooleanField({ ...FIELDS.zdr, optional: true, nullable: true })
  declared_zdr?: boolean | null;

  @ObjectField(() => PrivateEndpointPricing, { ...FIELDS.pricing, optional: true })
  pricing?: PrivateEndpointPricing;

  @ObjectField(() => ValidatePrivateEndpointRequest, {
    description: 'To validate it with the provider keys of a workspace, and to activate it if that passes.',
    example: { workspace_id: WORKSPACE_ID },
    optional: true,
  })
  activate?: ValidatePrivateEndpointRequest;
}

/** A request to change an endpoint; model and provider stay. */
@SchemaExample({ pricing: FIELDS.pricing.example })
export class UpdatePrivateEndpointRequest {
  @TextField({ ...FIELDS.upstreamModel, optional: true })
  upstream_model_id?: string;

  @TextField({ ...FIELDS.baseUrl, optional: true, nullable: true })
  base_url?: string | null;

  @EnumField(DECLARED_REGIONS, { ...FIELDS.region, optional: true, nullable: true })
  declared_region?: DeclaredRegion | null;

  @BooleanField({ ...FIELDS.zdr, optional: true, nullable: true })
  declared_zdr?: boolean | null;

  @ObjectField(() => PrivateEndpointPricing, { ...FIELDS.pricing, optional: true, nullable: true })
  pricing?: PrivateEndpointPricing | null;
}

/** The prices of an endpoint. */
@SchemaExample({ pricing: FIELDS.pricing.example })
export class UpdatePrivateEndpointPricingRequest {
  @ObjectField(() => PrivateEndpointPricing, FIELDS.pricing)
  pricing: PrivateEndpointPricing;
}

/** Which endpoints are deleted. */
export class DeletePrivateEndpointQuery {
  @EnumField(['true', 'false'], {
    description: 'Whether only a draft is deleted: an endpoint that has been active is a 409.',
    example: 'true',
    optional: true,
    publicOnly: true,
  })
  draft_only?: 'true' | 'false';
}

/** One thing that was checked of an endpoint. */
export class PrivateEndpointCheck {
  @TextField({ description: 'What was checked.', example: 'completion' })
  name: string;

  @BooleanField({ description: 'Whether it is as it should be.', example: false })
  passed: boolean;

  @EnumField(CHECK_REASONS, { description: 'What is wrong with it.', example: 'upstream_error', optional: true })
  reason?: CheckReason;

  @TextField({
    description: "The server's own words.",
    example: 'Incorrect API key provided.',
    optional: true,
    nullable: true,
  })
  upstream_message?: string | null;

  @IntegerField({
    description: "The status of the server's answer.",
    example: 401,
    minimum: 400,
    maximum: 599,
    optional: true,
  })
  upstream_status?: number;
}

/** What came of a validation. */
export class PrivateEndpointValidation {
  @BooleanField({
    description: 'Whether all checks have passed, so that the endpoint can be activated.',
    example: false,
  })
  passed: boolean;

  @ObjectListField(() => PrivateEndpointCheck, {
    description: 'The checks in their order. After one that has failed there are no others.',
  })
  checks: PrivateEndpointCheck[];
}

/** The answer to createPrivateEndpoint. */
export class CreatePrivateEndpointResponse extends DataOf(ManagedPrivateEndpoint) {}

/** The answer to listPrivateEndpoints. */
export class ListPrivateEndpointsResponse extends PageOf(PrivateEndpointSummary) {}

/** The answer to getPrivateEndpoint. */
export class GetPrivateEndpointResponse extends DataOf(PrivateEndpoint) {}

/** The answer to updatePrivateEndpoint. */
export class UpdatePrivateEndpointResponse extends DataOf(PrivateEndpoint) {}

/** The answer to deletePrivateEndpoint. */
export class DeletePrivateEndpointResponse extends Deleted('Always true: the endpoint was deleted.') {}

/** The answer to validatePrivateEndpoint. */
export class ValidatePrivateEndpointResponse extends DataOf(PrivateEndpointValidation) {}

/** The answer to activatePrivateEndpoint. */
export class ActivatePrivateEndpointResponse extends DataOf(ManagedPrivateEndpoint) {}

/** The answer to disablePrivateEndpoint. */
export class DisablePrivateEndpointResponse extends DataOf(ManagedPrivateEndpoint) {}

/** The answer to enablePrivateEndpoint. */
export class EnablePrivateEndpointResponse extends DataOf(ManagedPrivateEndpoint) {}
