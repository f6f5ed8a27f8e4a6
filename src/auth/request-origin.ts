import { maskSecrets } from '../http/logging/secret-mask.js';
import type { GatehouseRequest } from '../http/request.js';

/** Where a request comes from, for whoever records what it does. Read late: most requests are never recorded. */
export class RequestOrigin {
  constructor(private readonly request: GatehouseRequest) {}

  /** The id that stands in the answer, in the log and in every record of the request; like the log, without a credential. */
  get requestId(): string {
    return maskSecrets(this.request.requestId);
  }

  /** The address of the client, as far as TRUST_PROXY lets it be known. */
  get address(): string | null {
    return this.request.clientAddress;
  }
}
