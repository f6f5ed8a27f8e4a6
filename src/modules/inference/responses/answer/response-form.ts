import type { ChatCompletion } from '../../../providers/chat-completion.js';
import type { AnswerForm, AnswerOrigin, RefusedRequest } from '../../answer/answer-form.js';
import type { StreamEvent } from '../../answer/event-stream.js';
import type { AnswerUsage } from '../../answer/usage.js';
import { CONTEXT_LENGTH_EXCEEDED } from '../../refusal-type.js';
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
    refusedStream: (refused) => refusedStream(request, refused),
  };
}

/**
 * Coding agents know that their context is full by the code of a failed response only, and take a status for a fault of their own.
 * Other refusals they know by their status.
 */
function refusedStream(request: ResponsesRequest, refused: RefusedRequest): readonly StreamEvent[] | undefined {
  const { error, body } = refused;
  if (error.metadata['error_type'] !== CONTEXT_LENGTH_EXCEEDED) return undefined;
  const candidate = { model: { row: { id: body.model ?? body.models?.[0] ?? '' } } };
  // Filters may not have seen the instructions yet.
  return new StreamedResponse({ ...request, instructions: null }, { ...refused, candidate }).failure(error);
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
