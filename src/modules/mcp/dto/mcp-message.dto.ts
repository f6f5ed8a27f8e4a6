import { InferenceBody } from '../../../http/input/body-limit.js';
import { AdditionalProperties } from '../../../http/validation/dto-fields.js';

/** A message of JSON-RPC, which the endpoint reads by the revision that it is of. */
@AdditionalProperties()
@InferenceBody()
export class McpMessageDocument {
  [name: string]: unknown;
}

/** Which server; none is all of them. A name of any form is a server that may not exist. */
@AdditionalProperties()
export class McpEndpointPath {
  readonly server?: string;
}

/** The query of the endpoint: what is not known is ignored. */
@AdditionalProperties()
export class McpEndpointQuery {
  [name: string]: unknown;
}
