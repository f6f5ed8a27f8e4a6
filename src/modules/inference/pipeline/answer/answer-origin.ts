import type { AnswerOrigin } from '../../../codecs/client-codec.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import type { Candidate } from '../request/candidate.js';
import type { InferenceRequest } from '../request/inference-request.js';

/** What the answer of a candidate says of itself: the provider's own id and name of the model are not in it. */
export function originOf(
  { id, created }: InferenceRequest,
  { model, endpoint }: Candidate,
  body: ClientChatRequest,
  routing: AnswerOrigin['routing'],
): AnswerOrigin {
  return { id, created, model: model.row.id, provider: endpoint.provider.name, body, routing };
}
