import type { AnswerOrigin } from '../../answer/answer-form.js';
import type { ResponsesRequest } from '../dto/responses-request.dto.js';
import { calledToolsOf } from './called-tools.js';
import { OutputItems } from './output-items.js';
import type { EmitEvent } from './response-event.js';

/** The value of `include` with which a client asks for reasoning that it can send back without its other fields. */
const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

/** The output of an answer: empty at first; the ids of its items derive from the id of the answer. */
export function outputItemsFor(
  request: ResponsesRequest,
  { draft }: Pick<AnswerOrigin, 'draft'>,
  emit: EmitEvent,
): OutputItems {
  const id = draft.id.replace(/^gen-/, '');
  return new OutputItems({
    id,
    emit,
    carriesReasoning: request.include?.includes(ENCRYPTED_REASONING) === true,
    tools: calledToolsOf(request),
  });
}
