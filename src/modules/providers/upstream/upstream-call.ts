import type { Upstream } from '../../codecs/index.js';
import type { Asker } from '../clients/provider-client.js';

/** A request to a provider. */
export interface UpstreamCall extends Asker {
  readonly upstream: Upstream;
  /** What is added to the base URL, with a slash at its beginning. */
  readonly path: string;
  /** The headers of the protocol, such as the credential; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. Without it the request is a GET. */
  readonly body?: object;
  /** Ends the call, which then throws the reason of the signal. */
  readonly signal: AbortSignal;
}
