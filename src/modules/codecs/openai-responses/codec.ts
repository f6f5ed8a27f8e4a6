import type { UpstreamCodec } from '../upstream-codec.js';
import { completionOf, countedIn } from './answer-decoder.js';
import { requestBody } from './request-encoder.js';
import { ResponseEvents } from './stream-decoder.js';

/** The Responses interface of OpenAI as a provider has it (docs/interface/providers.md#openai-responses). */
export const OPENAI_RESPONSES: UpstreamCodec = {
  operation: 'responses',

  countedIn,

  operations: {
    chat: {
      encode: (request, isStreamed, adjustments) => [
        { path: '/responses', body: requestBody(request, isStreamed, adjustments) },
      ],
      decode: ([document], _request, upstream) => completionOf(document, upstream),
      streamDecoder: (_request, upstream) => new ResponseEvents(upstream),
    },
  },
};
