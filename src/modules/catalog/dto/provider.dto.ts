import { ListOf } from '../../../http/schema/answer-shapes.js';
import { EnumField, SchemaField, TextField } from '../../../http/schema/fields.js';
import { COUNTRIES } from '../countries.js';

/** A country, by its code in ISO 3166-1 alpha-2. */
export function CountryField(description: string, optional = false): PropertyDecorator {
  return EnumField<string>(COUNTRIES, { description, example: 'US', nullable: true, optional });
}

/** Countries, by their codes in ISO 3166-1 alpha-2. */
export function CountriesField(description: string, optional = false): PropertyDecorator {
  return SchemaField(() => ({ type: ['array', 'null'], items: { type: 'string', enum: COUNTRIES } }), {
    description,
    example: ['US', 'DE'],
    optional,
  });
}

/** A company that serves models. */
export class Provider {
  @TextField({ description: 'The id that guardrails name.', example: 'openai' })
  slug: string;

  @TextField({ description: 'The name.', example: 'OpenAI' })
  name: string;

  @TextField({
    description: 'Its privacy policy, where it is known.',
    example: 'https://openai.com/policies/privacy-policy/',
    nullable: true,
  })
  privacy_policy_url: string | null;

  @TextField({
    description: 'Its terms, where they are known.',
    example: 'https://openai.com/policies/row-terms-of-use/',
    nullable: true,
  })
  terms_of_service_url: string | null;

  @TextField({
    description: 'Where it says how it does, where it is known.',
    example: 'https://status.openai.com/',
    nullable: true,
  })
  status_page_url: string | null;

  @CountryField('The country of its headquarters, where it is known.')
  headquarters: string | null;

  @CountriesField('The countries of its data centers, where they are known.')
  datacenters: readonly string[] | null;
}

/** The answer to listProviders. */
export class ListProvidersResponse extends ListOf(Provider) {}
