import type { ChatRequest } from '../chat/chat-completion.js';
import { choicesOf } from '../chat/choice-count.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';
import type { EncodedRequest, UpstreamCodec } from '../upstream-codec.js';
import { completionOf, countedIn } from './answer-decoder.js';
import { BATCH_EMBEDDINGS, VERTEX_EMBEDDINGS } from './embeddings.js';
import { GEMINI_API, type GoogleService, VERTEX_AI } from './google-service.js';
import { imagesOfContents, imagesRequests } from './images.js';
import { modelPath } from './model-path.js';
import { requestBody, tierOf } from './request-encoder.js';
import { GenerateContentEvents } from './stream-decoder.js';

/** The header in which Vertex is asked for a tier of service. */
const TIER_HEADER = 'x-vertex-ai-llm-shared-request-type';

/** `generateContent` of Google's models at the Gemini API (docs/interface/providers.md#gemini). */
export const GEMINI: UpstreamCodec = { ...codecFor(GEMINI_API), embeddings: BATCH_EMBEDDINGS };

/** The same at Vertex AI, which has embeddings of another form. */
export const GEMINI_ON_VERTEX: UpstreamCodec = { ...codecFor(VERTEX_AI), embeddings: VERTEX_EMBEDDINGS };

function codecFor(service: GoogleService): UpstreamCodec {
  return {
    operation: 'generate_content',

    encode(request: ChatRequest, isStreamed: boolean, adjustments?: RequestAdjustments): EncodedRequest {
      const tier = service.tierPlace === 'header' ? tierOf(request) : undefined;
      return {
        // Without the query a stream is one list of JSON.
        path: modelPath(request.model, isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'),
        body: requestBody(request, isStreamed, service, adjustments),
        ...(tier !== undefined && tier !== 'standard' && { headers: { [TIER_HEADER]: tier } }),
      };
    },

    decode: completionOf,

    streamDecoder: (request, upstream) => new GenerateContentEvents(upstream, choicesOf(request)),

    countedIn,

    images: { encode: (request) => imagesRequests(request, service), decode: imagesOfContents },
  };
}
