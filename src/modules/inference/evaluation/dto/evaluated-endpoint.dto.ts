import { BooleanField, TextField } from '../../../../http/validation/fields.js';

/** An endpoint of a model. */
export class EvaluatedEndpoint {
  @TextField({ description: 'The id of the model.', example: 'gatehouse/echo' })
  model: string;

  @TextField({ description: 'The slug of the provider.', example: 'gatehouse' })
  provider: string;

  @TextField({ description: 'The tag of the endpoint.', example: 'gatehouse' })
  endpoint: string;
}

/** An endpoint that would be tried. */
export class EvaluatedCandidate extends EvaluatedEndpoint {
  @BooleanField({ description: "Whether a provider key of the organization's own is used.", example: false })
  is_byok: boolean;
}
