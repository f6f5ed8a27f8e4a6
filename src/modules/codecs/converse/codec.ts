import type { UpstreamCodec } from '../upstream-codec.js';
import { objectOf } from '../chat/json-values.js';
import { completionOf } from './answer-decoder.js';
import { INVOKED_EMBEDDINGS } from './embeddings.js';
import { requestIdOf, pathOf } from './invocation.js';
import { requestBody } from './request-encoder.js';
import { ConverseEvents } from './stream-decoder.js';
import { countedUsageOf } from './usage.js';

/** `Converse` and `ConverseStream` of Amazon Bedrock (docs/interface/providers.md#converse). */
export const CONVERSE: UpstreamCodec = {
  operation: 'converse',
  dependsOnModel: true,

  countedIn: (document) => countedUsageOf(objectOf(document)?.['usage']),

  operations: {
    chat: {
      embedsMedia: true,
      encode: (request, isStreamed, adjustments) => [
        {
          path: pathOf(request.model, isStreamed ? 'converse-stream' : 'converse'),
          body: requestBody(request, isStreamed, adjustments),
          // No media type of a stream is asked for, because a model of another form would take it for that of its answer.
          ...(isStreamed && { headers: { accept: '*/*' } }),
        },
      ],
      decode: ([document], request, _upstream, [head = {}]) => ({
        ...completionOf(document, request),
        upstreamId: requestIdOf(head),
      }),
      streamDecoder: (request, upstream) => new ConverseEvents(request, upstream),
    },
    embeddings: INVOKED_EMBEDDINGS,
  },
};
