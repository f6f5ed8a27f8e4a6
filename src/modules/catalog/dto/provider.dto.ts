import { ListOf } from '../../../http/openapi/response-envelopes.js';
import { EnumField, EnumListField, TextField } from '../../../http/validation/fields.js';
import { COUNTRIES } from '../countries.js';

/** A country, by its code in ISO 3166-1 alpha-2. */
export function CountryField(description: string, optional = false): PropertyDecorator {
  return EnumField(COUNTRIES, { description, example: 'US', nullable: true, optional });
}

/** Countries, by their codes in ISO 3166-1 alpha-2. */
export function CountriesField(description: string, optional = false): PropertyDecorator {
  return EnumListField(COUNTRIES, { description, example: ['US', 'DE'], nullable: true, optional });
}

/** A company that serves models. */
export class Provider {
  @TextField({ description: 'The id of the provider, as guardrails name it.', example: 'openai' })
  slug: string;

  @TextField({ description: 'The name.', example: 'OpenAI' })
  name: string;

  @TextField({
    description: 'The URL of the privacy policy, if known.',
    example: 'https://openai.com/policies/privacy-policy/',
    nullable: true,
  })
  privacy_policy_url: string | null;

  @TextField({
    description: 'The URL of the terms of service, if known.',
    example: 'https://openai.com/policies/row-terms-of-use/',
    nullable: true,
  })
  terms_of_service_url: string | null;

  @TextField({
    description: 'The URL of the status page, if known.',
    example: 'https://status.openai.com/',
    nullable: true,
  })
  status_page_url: string | null;

  @CountryField('The country of its headquarters, if known.')
  headquarters: string | null;

  @CountriesField('The countries of its data centers, if known.')
  datacenters: readonly string[] | null;
}

/** The answer to listProviders. */
export class ListProvidersResponse extends ListOf(Provider) {}
