import type { IssueWithReason } from '../../../http/errors/issue.js';
import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { isObject } from '../../../http/validation/constraints.js';
import { PublicOnly, SchemaExample } from '../../../http/validation/dto-fields.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  IntegerField,
  ObjectField,
  TextField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { Rules } from '../../../http/validation/rules.js';
import { COUNTRIES } from '../../catalog/countries.js';
import type { PrivateDataPolicy } from '../../catalog/private/private-endpoint.js';

const SLUG = { minLength: 2, maxLength: 64, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' } as const;

const FIELDS = {
  name: {
    description: 'The name, which records have. It cannot be changed.',
    example: 'Acme vLLM',
    minLength: 2,
    maxLength: 64,
  },
  slug: {
    description: 'What guardrails, provider keys and requests name. By default it is made of the name.',
    example: 'acme-vllm',
    ...SLUG,
  },
  displayName: {
    description: 'The name for people; by default the name.',
    example: 'Acme vLLM, Frankfurt',
    minLength: 1,
    maxLength: 100,
  },
  baseUrl: {
    description:
      'Where its endpoints are that have no address of their own: an https URL that ends where `/chat/completions` begins. Private addresses only if the deployment allows them.',
    example: 'https://models.example.com/v1',
    maxLength: 2_048,
    format: 'uri',
  },
} as const;

/** What only the public dialect has, in requests as in answers. */
const DECLARED = { optional: true, nullable: true, publicOnly: true } as const;

/** What a provider of the organization's own does with requests, as the organization says. */
@PublicOnly()
export class PrivateProviderDataPolicy implements PrivateDataPolicy {
  @BooleanField({ description: 'Whether it trains on requests.', example: false })
  training: boolean;

  @BooleanField({ description: 'Whether it keeps prompts.', example: true })
  retains_prompts: boolean;

  @IntegerField({
    description: 'For how many days it keeps them; null for what is not said.',
    example: 30,
    minimum: 0,
    maximum: 36_500,
    optional: true,
    nullable: true,
  })
  prompt_retention_days?: number | null;
}

function daysOfRetainedPrompts({ data_policy: policy }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  if (!isObject(policy) || policy['retains_prompts'] === true || (policy['prompt_retention_days'] ?? null) === null)
    return [];
  return [{ path: 'data_policy.prompt_retention_days', message: 'must be null, unless retains_prompts is true' }];
}

/** What the organization says of a provider; shown and not checked (docs/interface/private-models.md#providers). */
@Rules(daysOfRetainedPrompts)
abstract class DeclaredOfProvider {
  @ObjectField(() => PrivateProviderDataPolicy, { ...DECLARED, description: 'What it does with requests.' })
  data_policy?: PrivateProviderDataPolicy | null;

  @EnumListField(COUNTRIES, {
    ...DECLARED,
    description: 'The countries of its data centers, by their codes in ISO 3166-1 alpha-2.',
    example: ['US', 'DE'],
    asSent: true,
  })
  datacenters?: string[] | null;

  @EnumField(COUNTRIES, { ...DECLARED, description: 'The country of its headquarters.', example: 'US' })
  headquarters?: string | null;

  @TextField({
    ...DECLARED,
    description: 'The URL of its privacy policy.',
    example: 'https://models.example.com/privacy',
    maxLength: 2_048,
    format: 'uri',
  })
  privacy_policy_url?: string | null;
}

/** Which provider. */
export class PrivateProviderPath {
  @TextField({ description: 'The slug of the provider.', example: FIELDS.slug.example, minLength: 1 })
  slug: string;
}

/** A provider of the organization's own (docs/interface/private-models.md). */
export class PrivateProvider extends DeclaredOfProvider {
  @TextField(FIELDS.slug)
  slug: string;

  @TextField(FIELDS.name)
  name: string;

  @TextField(FIELDS.displayName)
  display_name: string;

  @TextField({ ...FIELDS.baseUrl, nullable: true })
  base_url: string | null;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;
}

/** A request for a new provider. */
@SchemaExample({ name: FIELDS.name.example, base_url: FIELDS.baseUrl.example })
export class CreatePrivateProviderRequest extends DeclaredOfProvider {
  @TextField(FIELDS.name)
  name: string;

  @TextField({ ...FIELDS.slug, optional: true })
  slug?: string;

  @TextField({ ...FIELDS.displayName, optional: true })
  display_name?: string;

  @TextField({ ...FIELDS.baseUrl, optional: true })
  base_url?: string;
}

/** A request to change a provider; name and slug stay. */
@SchemaExample({ display_name: FIELDS.displayName.example })
export class UpdatePrivateProviderRequest extends DeclaredOfProvider {
  @TextField({ ...FIELDS.displayName, optional: true })
  display_name?: string;

  @TextField({ ...FIELDS.baseUrl, optional: true, nullable: true })
  base_url?: string | null;
}

/** The answer to createPrivateProvider. */
export class CreatePrivateProviderResponse extends DataOf(PrivateProvider) {}

/** The answer to listPrivateProviders. */
export class ListPrivateProvidersResponse extends PageOf(PrivateProvider) {}

/** The answer to getPrivateProvider. */
export class GetPrivateProviderResponse extends DataOf(PrivateProvider) {}

/** The answer to updatePrivateProvider. */
export class UpdatePrivateProviderResponse extends DataOf(PrivateProvider) {}

/** The answer to deletePrivateProvider. */
export class DeletePrivateProviderResponse extends Deleted('Always true: the provider was deleted.') {}
