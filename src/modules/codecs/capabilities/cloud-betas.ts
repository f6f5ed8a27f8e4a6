import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { ChatMessage, ChatRequest, ContentPart } from '../chat/chat-completion.js';
import { nonEmptyText, objectOf } from '../chat/json-values.js';
import { MESSAGES_FIELDS, messagesFieldsOf, withMessagesFields, withoutFields } from '../chat/messages-fields.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';

/** Beta features that clouds know by another name than the models' own provider. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['advanced-tool-use-2025-11-20', 'tool-search-tool-2025-10-19'],
]);

/** How the names of the features begin that a field of tools belongs to. */
const FEATURES_OF_TOOL_FIELDS = [
  ['defer_loading', ['advanced-tool-use', 'tool-search-tool']],
  ['input_examples', ['advanced-tool-use', 'tool-examples']],
] as const;

/** How the name of the feature begins that lets marks for the cache say whom they hold for. */
const CACHE_SCOPES = 'prompt-caching-scope';

const MARK = 'cache_control';

/**
 * A request with the beta features that its provider takes, where that is known: clouds refuse a request with any other, and clients send
 * those of the model's own provider. What belongs to a feature that is not taken is left out with it, because it is refused alone, too.
 */
export function withTakenBetas(
  request: ChatRequest,
  { betas: taken }: ModelCapabilities,
  adjustments: RequestAdjustments,
): ChatRequest {
  const fields = messagesFieldsOf(request);
  const given = nonEmptyText(fields['betas'])
    ?.split(',')
    .map((beta) => beta.trim());
  if (given === undefined || taken === undefined) return request;
  const isTaken = new Set(taken);
  const known = given.map((beta) => (isTaken.has(beta) ? beta : (OTHER_NAMES.get(beta) ?? beta)));
  const sent = [...new Set(known.filter((beta) => isTaken.has(beta)))];
  if (sent.join() === given.join()) return request;
  adjustments.leftOut('betas', 'refused_by_model');
  const { betas: _betas, ...others } = fields;
  const limited = { ...request, [MESSAGES_FIELDS]: sent.length === 0 ? others : { ...others, betas: sent.join(',') } };
  const isRefused = (features: readonly string[]): boolean =>
    [given, sent].map((betas) => betas.some((beta) => features.some((name) => beta.startsWith(name)))).join() ===
    'true,false';
  const ofTools = FEATURES_OF_TOOL_FIELDS.filter(([, features]) => isRefused(features)).map(([field]) => field);
  const described = ofTools.length === 0 ? limited : withoutToolFields(limited, ofTools);
  return isRefused([CACHE_SCOPES]) ? withoutCacheScopes(described) : described;
}

function withoutToolFields(request: ChatRequest, names: readonly string[]): ChatRequest {
  const { tools } = request;
  if (tools == null) return request;
  const refused = new Set(names);
  return {
    ...request,
    tools: tools.map((tool) => ({ ...tool, [MESSAGES_FIELDS]: withoutFields(messagesFieldsOf(tool), refused) })),
  };
}

function withoutCacheScopes(request: ChatRequest): ChatRequest {
  const { tools, messages } = withoutScope(request);
  return {
    ...withoutScope(request),
    messages: messages.map(withoutScopesWithin),
    ...(tools == null ? {} : { tools: tools.map(withoutScope) }),
  };
}

function withoutScopesWithin(message: ChatMessage): ChatMessage {
  const { content, tool_calls: calls } = message;
  return {
    ...withoutScope(message),
    ...(Array.isArray(content) && { content: (content as readonly ContentPart[]).map(withoutScope) }),
    ...(calls == null ? {} : { tool_calls: calls.map(withoutScope) }),
  };
}

/** What is marked for the cache for everyone whom its provider's default holds for. */
function withoutScope<Marked extends object>(marked: Marked): Marked {
  const fields = messagesFieldsOf(marked);
  const own = objectOf(Reflect.get(marked, MARK));
  const scoped = objectOf(fields[MARK]);
  const unscoped = own?.['scope'] === undefined ? marked : { ...marked, [MARK]: withoutFields(own, SCOPE) };
  return scoped?.['scope'] === undefined
    ? unscoped
    : withMessagesFields(unscoped, { ...fields, [MARK]: withoutFields(scoped, SCOPE) });
}

const SCOPE: ReadonlySet<string> = new Set(['scope']);
