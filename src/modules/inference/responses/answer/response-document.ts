import type { FunctionTool } from '../../../providers/chat-completion.js';
import type { AnswerOrigin } from '../../answer/answer-form.js';
import type { AnswerUsage } from '../../answer/usage.js';
import type { ResponsesRequest } from '../dto/responses-request.dto.js';
import type { ResponseEnd } from './response-end.js';
import { responseUsageOf } from './response-usage.js';

/** What is known when an answer has ended. */
export interface EndedResponse {
  readonly end: ResponseEnd;
  /** The usage; undefined for an answer that cannot be completed. */
  readonly usage?: AnswerUsage;
  /** Null where the provider does not say. */
  readonly serviceTier: string | null;
  /** The field that shows how the request was routed; empty unless it was asked for. */
  readonly routing: object;
}

/** What was asked, and the model that answers. */
export interface ResponseOrigin extends Pick<AnswerOrigin, 'draft' | 'body' | 'routing'> {
  readonly candidate: { readonly model: { readonly row: { readonly id: string } } };
}

/**
 * The object that every answer is, and that the first and last events of a stream have (docs/interface/responses.md#answers).
 * It repeats what was asked, with the preset, and without what was redacted.
 *
 * @param request what the caller has sent
 * @param origin what was sent to the provider, and who answers
 * @param output the items so far
 * @param ended undefined while the answer is being written
 */
export function responseDocument(
  request: ResponsesRequest,
  { draft, candidate, body }: ResponseOrigin,
  output: readonly object[],
  ended?: EndedResponse,
): object {
  const { status, incomplete_details = null, error = null, error_type: errorType } = ended?.end ?? {};
  return {
    id: draft.id,
    object: 'response',
    created_at: draft.created,
    completed_at: status === 'completed' ? Math.floor(Date.now() / 1000) : null,
    model: candidate.model.row.id,
    status: status ?? 'in_progress',
    output,
    error,
    ...(errorType !== undefined && { error_type: errorType }),
    incomplete_details,
    instructions: instructionsOf(request, body),
    metadata: body.metadata ?? null,
    // Clients with fixed types read a value for each setting, so that what holds where nothing was asked is said.
    temperature: body.temperature ?? 1,
    top_p: body.top_p ?? 1,
    top_logprobs: body.top_logprobs ?? 0,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    max_output_tokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    tools: (body.tools ?? []).flatMap(toolOf),
    tool_choice: request.tool_choice ?? 'auto',
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    text: { format: request.text?.format ?? { type: 'text' }, verbosity: request.text?.verbosity ?? 'medium' },
    reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
    truncation: request.truncation ?? 'disabled',
    service_tier: ended?.serviceTier ?? body.service_tier ?? 'default',
    prompt_cache_key: body.prompt_cache_key ?? null,
    safety_identifier: request.safety_identifier ?? null,
    ...(typeof body.user === 'string' && { user: body.user }),
    store: false,
    background: false,
    previous_response_id: null,
    usage: ended?.usage === undefined ? null : responseUsageOf(ended.usage),
    ...ended?.routing,
  };
}

/** The caller's instructions stand before all other messages, where filters have seen them. */
function instructionsOf({ instructions }: ResponsesRequest, { messages }: AnswerOrigin['body']): unknown {
  return typeof instructions === 'string' ? messages[0]!.content : null;
}

function toolOf({ function: called }: FunctionTool): object[] {
  if (called === undefined) return [];
  const { name, description, parameters, strict } = called;
  return [
    {
      type: 'function',
      name,
      description: description ?? null,
      parameters: parameters ?? null,
      strict: strict ?? null,
    },
  ];
}
