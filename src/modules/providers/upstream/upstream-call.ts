import type { AnswerHead } from '../../codecs/upstream-codec.js';
import type { CalledUpstream } from './called-upstream.js';
import type { Asker } from '../clients/provider-client.js';

/** A request to a provider. */
export interface UpstreamCall extends Asker {
  readonly upstream: CalledUpstream;
  /** What is added to the base URL, with a slash at its beginning. */
  readonly path: string;
  /** The headers of the dialect, without the credential; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The header in which the dialect has an API key. */
  readonly keyHeader: string;
  /** Sent as JSON, or as the form that it is ({@link MultipartForm}). Without it the request is a GET. */
  readonly body?: object;
  /** Is told the head of an answer of success, before anything is read of its body. */
  readonly headed?: ((head: AnswerHead) => void) | undefined;
  /** Is told how many bytes the document of an answer has. */
  readonly measured?: ((bytes: number) => void) | undefined;
  /** Ends the call, which then throws the reason of the signal. */
  readonly signal: AbortSignal;
}
