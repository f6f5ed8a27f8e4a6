import { choicesOf } from '../chat/choice-count.js';
import type { CodecOperation, UpstreamCodec } from '../upstream-codec.js';
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
export const GEMINI = codecFor(GEMINI_API, BATCH_EMBEDDINGS);

/** The dialect at Vertex AI, which has embeddings of another form. */
export const GEMINI_ON_VERTEX = codecFor(VERTEX_AI, VERTEX_EMBEDDINGS);

function codecFor(service: GoogleService, embeddings: CodecOperation<'embeddings'>): UpstreamCodec {
  return {
    operation: 'generate_content',

    countedIn,

    operations: {
      chat: {
        encode(request, isStreamed, adjustments) {
          const tier = service.tierPlace === 'header' ? tierOf(request) : undefined;
          return [
            {
              // Without the query a stream is one list of JSON.
              path: modelPath(request.model, isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'),
              body: requestBody(request, isStreamed, service, adjustments),
              ...(tier !== undefined && tier !== 'standard' && { headers: { [TIER_HEADER]: tier } }),
            },
          ];
        },
        decode: ([document], _request, upstream) => completionOf(document, upstream),
        streamDecoder: (request, upstream) => new GenerateContentEvents(upstream, choicesOf(request)),
      },
      embeddings,
      image: {
        encode: (request) => imagesRequests(request, service),
        decode: (documents, _request, upstream) => imagesOfContents(documents, upstream),
      },
    },
  };
}
