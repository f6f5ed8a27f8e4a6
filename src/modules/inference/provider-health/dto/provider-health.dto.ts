import { DataOf } from '../../../../http/openapi/response-envelopes.js';
import {
  BooleanField,
  EnumField,
  IntegerField,
  ObjectListField,
  TextField,
  TimestampField,
} from '../../../../http/validation/fields.js';
import { CONDITIONS, type EndpointCondition } from '../../../routing/endpoint-order.js';

/** An endpoint that the organization has asked, or that is not well for it. */
export class ProviderEndpointHealth {
  @TextField({ description: 'The id of the model.', example: 'gatehouse/echo' })
  model: string;

  @TextField({ description: 'The tag of the endpoint.', example: 'gatehouse' })
  endpoint: string;

  @EnumField(CONDITIONS, {
    description:
      'How well it has answered lately. Endpoints that are well are tried before degraded ones, and these before those that are down.',
    example: 'normal',
  })
  condition: EndpointCondition;

  @IntegerField({
    description: 'How many attempts of the organization have failed in the last five minutes.',
    example: 0,
    minimum: 0,
  })
  failed_attempts: number;

  @TimestampField({
    description: 'When the last attempt of the organization has succeeded; null if none has, or one has failed since.',
    nullable: true,
  })
  last_success_at: string | null;

  @TimestampField({
    description: 'When the last attempt of the organization has failed; null if none is known.',
    nullable: true,
  })
  last_failure_at: string | null;
}

/** How well a provider answers. */
export class ProviderHealth {
  @TextField({ description: 'The id of the provider.', example: 'gatehouse' })
  provider: string;

  @TextField({ description: 'The name.', example: 'Gatehouse' })
  name: string;

  @EnumField(CONDITIONS, { description: 'The condition of the worst of its endpoints.', example: 'normal' })
  condition: EndpointCondition;

  @ObjectListField(() => ProviderEndpointHealth, {
    description: 'The endpoints that the organization has asked, and those that are not well, the worst first.',
  })
  endpoints: ProviderEndpointHealth[];
}

/** How well providers answer, as the process that answers sees it. */
export class ProvidersHealth {
  @TimestampField({ description: 'Since when the process that answers counts attempts.' })
  observed_since: string;

  @BooleanField({
    description: 'Whether the attempts of all replicas decide, and not of this process alone.',
    example: false,
  })
  is_shared: boolean;

  @ObjectListField(() => ProviderHealth, { description: 'The providers that the organization can use, by id.' })
  providers: ProviderHealth[];
}

/** The answer to getProvidersHealth. */
export class GetProvidersHealthResponse extends DataOf(ProvidersHealth) {}
