import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { TextField, TimestampField } from '../../../http/validation/fields.js';

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

/** Which provider. */
export class PrivateProviderPath {
  @TextField({ description: 'The slug of the provider.', example: FIELDS.slug.example, minLength: 1 })
  slug: string;
}

/** A provider of the organization's own (docs/interface/private-models.md). */
export class PrivateProvider {
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
export class CreatePrivateProviderRequest {
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
export class UpdatePrivateProviderRequest {
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
