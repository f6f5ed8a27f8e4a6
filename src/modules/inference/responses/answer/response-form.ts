import type { ChatCompletion } from '../../../providers/chat-completion.js';
import type { AnswerForm, AnswerOrigin } from '../../answer/answer-form.js';
import type { AnswerUsage } from '../../answer/usage.js';
import type { ResponsesRequest } from '../dto/responses-request.dto.js';
import { outputItemsFor } from './output-options.js';
import { responseDocument } from './response-document.js';
import { endOf } from './response-end.js';
import { saidParts } from './said-parts.js';
import { StreamedResponse } from './streamed-response.js';

/** The form in which one request of the Responses interface is answered (docs/interface/responses.md#answers). */
export function responseForm(request: ResponsesRequest): AnswerForm {
  return {
    whole: (origin, completion, usage) => wholeResponse(request, origin, completion, usage),
    stream: (origin) => new StreamedResponse(request, origin),
  };
}

/** The answer is only the first of several choices. */
function wholeResponse(
  request: ResponsesRequest,
  origin: AnswerOrigin,
  { choices: [choice], serviceTier }: ChatCompletion,
  usage: AnswerUsage,
): object {
  const end = endOf(choice?.finish_reason ?? null);
  const items = outputItemsFor(request, origin, () => undefined);
  if (choice !== undefined) for (const part of saidParts(choice)) items.add(part, choice.logprobs);
  items.end(end.status);
  return responseDocument(request, origin, items.shown(), {
    end,
    usage,
    serviceTier,
    routing: origin.routing(),
  });
}
