import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { ChatRequest } from '../chat/chat-completion.js';
import { MESSAGES_FIELDS, messagesFieldsOf, withoutFields } from '../chat/messages-fields.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';

/** Fields that every request has. */
const ESSENTIAL: ReadonlySet<string> = new Set(['model', 'messages', 'input', 'max_tokens', 'max_completion_tokens']);

const TASK_BUDGET = 'task_budget';

/** Fields whose lists say nothing if they are empty, and are refused then. */
const LISTS = ['stop', 'modalities'] as const;

/** A body without empty lists, which many providers refuse. */
export function withoutEmptyLists<Body extends object>(body: Body, adjustments: RequestAdjustments): Body {
  const empty = LISTS.filter((field) => {
    const value: unknown = Reflect.get(body, field);
    return Array.isArray(value) && value.length === 0;
  });
  if (empty.length === 0) return body;
  for (const field of empty) adjustments.leftOut(field, 'empty_list');
  return withoutFields(body, new Set<string>(empty));
}

/** A request with no more sequences at which the answer stops than its provider takes: clients of other forms may have more. */
export function withPossibleStops<Body extends Pick<ChatRequest, 'stop'>>(
  body: Body,
  { most_stops: most }: ModelCapabilities,
  adjustments: RequestAdjustments,
): Body {
  const { stop } = body;
  if (most === undefined || !Array.isArray(stop) || stop.length <= most) return body;
  adjustments.changed('stop', 'above_maximum');
  return { ...body, stop: (stop as readonly string[]).slice(0, most) };
}

/**
 * The fields of a body that its provider knows and its model does not refuse. Unlisted fields are left out: one
 * may cost more than is reserved for the request, or choose another model (docs/interface/capabilities.md#fields).
 *
 * @param thinks whether the model thinks before it answers this request
 * @param adjustments is told what is left out
 */
export function withKnownFields<Body extends object>(
  body: Body,
  capabilities: ModelCapabilities,
  thinks: boolean,
  adjustments: RequestAdjustments,
): Body {
  const reasonAgainst = refusalOf(body, capabilities, thinks);
  const refused = new Set<string>();
  for (const field of Object.keys(body)) {
    const reason = reasonAgainst(field);
    if (reason === undefined) continue;
    refused.add(field);
    adjustments.leftOut([field], reason);
  }
  return refused.size === 0 ? body : withoutFields(body, refused);
}

/**
 * A request without the budget of a task, where its provider does not know one. It is a field of another, in the Messages form alone.
 *
 * @param adjustments is told that it is left out
 */
export function withKnownTaskBudget(
  request: ChatRequest,
  { extra_body_fields: extra = [] }: ModelCapabilities,
  adjustments: RequestAdjustments,
): ChatRequest {
  const fields = messagesFieldsOf(request);
  if (fields[TASK_BUDGET] === undefined || extra.includes(TASK_BUDGET)) return request;
  adjustments.leftOut(['output_config', TASK_BUDGET], 'unknown_field');
  return { ...request, [MESSAGES_FIELDS]: withoutFields(fields, new Set([TASK_BUDGET])) };
}

/** Why a field of a body is not sent, by its name. */
function refusalOf(
  body: object,
  {
    body_fields: known,
    extra_body_fields: extra = [],
    refused_parameters: refused = [],
    refused_while_reasoning: whileReasoning = [],
    exclusive_parameters: exclusive = [],
  }: ModelCapabilities,
  thinks: boolean,
): (field: string) => string | undefined {
  const sent = known === undefined ? undefined : new Set([...known, ...extra]);
  const chosen = exclusive.find((field) => Object.hasOwn(body, field));
  return (field) => {
    if (ESSENTIAL.has(field)) return undefined;
    if (sent?.has(field) === false) return 'unknown_field';
    if (refused.includes(field)) return 'refused_by_model';
    if (thinks && whileReasoning.includes(field)) return 'refused_while_reasoning';
    return chosen !== undefined && chosen !== field && exclusive.includes(field)
      ? 'excluded_by_other_field'
      : undefined;
  };
}
