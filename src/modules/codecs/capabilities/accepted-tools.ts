import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { ChatRequest, FunctionTool, ToolChoice } from '../chat/chat-completion.js';
import type { WorkBudget } from '../../../http/input/work-budget.js';
import { type JsonObject, listOf, objectOf } from '../chat/json-values.js';
import { MESSAGES_FIELDS, messagesFieldsOf, withoutFields } from '../chat/messages-fields.js';
import { withoutKeptBlocks } from '../chat/kept-blocks.js';
import { isOfToolSearch, isToolSearch } from '../chat/tool-search.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';
import { canBeComplete, mergedSchemas, translatedSchema } from './schemas.js';
import { plainSchema } from './tool-schemas.js';

/** What says how tools are called, and is refused without any. */
const ABOUT_TOOLS = ['tools', 'tool_choice', 'parallel_tool_calls'] as const;

type Combinator = 'anyOf' | 'oneOf' | 'allOf';

const COMBINATORS: readonly Combinator[] = ['anyOf', 'oneOf', 'allOf'];

/** A request without what says how tools are called if it has none: an empty list of them is refused by many providers. */
export function withoutEmptyTools(request: ChatRequest, adjustments: RequestAdjustments): ChatRequest {
  if ((request.tools?.length ?? 0) > 0) return request;
  const given = ABOUT_TOOLS.filter((field) => request[field] !== undefined);
  if (given.length === 0) return request;
  for (const field of given) adjustments.leftOut(field, 'without_tools');
  const { tools: _tools, tool_choice: _choice, parallel_tool_calls: _parallel, ...others } = request;
  return others;
}

/** A request without tools that only the Messages form describes, such as its `bash`: to others they are a type without a function. */
export function withoutUndescribedTools(request: ChatRequest, adjustments: RequestAdjustments): ChatRequest {
  const { tools } = request;
  const isUndescribed = (tool: FunctionTool): boolean =>
    tool.function === undefined && messagesFieldsOf(tool)['type'] !== undefined;
  if (tools?.some(isUndescribed) !== true) return request;
  for (const [index, tool] of tools.entries()) {
    if (isUndescribed(tool)) adjustments.leftOut(['tools', index], 'tool_of_provider');
  }
  const described = { ...request, tools: tools.filter((tool) => !isUndescribed(tool)) };
  const chosen = typeof request.tool_choice === 'object' ? request.tool_choice?.function?.name : undefined;
  const isChosen = (tool: FunctionTool): boolean => messagesFieldsOf(tool)['name'] === chosen;
  if (chosen === undefined || !tools.filter(isUndescribed).some(isChosen)) return described;
  adjustments.leftOut('tool_choice', 'tool_of_provider');
  const { tool_choice: _choice, ...others } = described;
  return others;
}

/**
 * A request without searches for tools that its provider does not run. What they would find is offered at once, because nothing else
 * finds it. What earlier searches of another provider have found is no part of the conversation then.
 */
export function withoutToolSearch(given: ChatRequest, adjustments: RequestAdjustments): ChatRequest {
  const messages = given.messages.flatMap((message) => withoutKeptBlocks(message, adjustments, isOfToolSearch));
  const isWhole = messages.length === given.messages.length && messages.every((one, at) => one === given.messages[at]);
  const request = isWhole ? given : Object.assign({}, given, { messages });
  const { tools } = request;
  const isSearch = (tool: FunctionTool): boolean => isToolSearch(messagesFieldsOf(tool));
  if (tools?.some(isSearch) !== true) return request;
  for (const [index, tool] of tools.entries()) {
    if (isSearch(tool)) adjustments.leftOut(['tools', index], 'tool_of_provider');
  }
  const others = tools.filter((tool) => !isSearch(tool));
  return {
    ...request,
    tools: others.map((tool) => ({ ...tool, [MESSAGES_FIELDS]: withoutFields(messagesFieldsOf(tool), DEFERRED) })),
  };
}

const DEFERRED: ReadonlySet<string> = new Set(['defer_loading']);

/** The tools of a request, each name once where the provider wants that: clients join lists that have the same tools. */
export function withUniqueNames(
  tools: readonly FunctionTool[],
  { unique_tool_names: areUnique }: ModelCapabilities,
  adjustments: RequestAdjustments,
): readonly FunctionTool[] {
  if (areUnique !== true) return tools;
  const names = new Set<string>();
  const unique = tools.filter((tool, index) => {
    const name = tool.function?.name;
    if (name === undefined || !names.has(name)) return name === undefined || names.add(name);
    adjustments.leftOut(['tools', index], 'name_repeated');
    return false;
  });
  return unique.length === tools.length ? tools : unique;
}

/** Which tool is to be called, as far as a model that thinks can be told: else it decides itself. */
export function possibleChoice(
  { tool_choice: choice }: Pick<ChatRequest, 'tool_choice'>,
  { forced_tools_while_reasoning: canBeForced, forced_tools: canEverBeForced }: ModelCapabilities,
  isThinking: boolean,
  adjustments: RequestAdjustments,
): ToolChoice | undefined {
  if (choice == null) return undefined;
  if (canEverBeForced === false && choice !== 'none' && choice !== 'auto') {
    adjustments.leftOut('tool_choice', 'refused_by_model');
    return undefined;
  }
  if (canBeForced !== false || !isThinking || choice === 'none') return choice;
  // It is what holds without a word, and one of these providers takes no word at all while it thinks.
  if (choice !== 'auto') adjustments.leftOut('tool_choice', 'refused_while_reasoning');
  return undefined;
}

/** A tool whose schema its provider takes. */
export function translatedTool(
  given: FunctionTool,
  index: number,
  capabilities: ModelCapabilities,
  adjustments: RequestAdjustments,
): FunctionTool {
  const tool = capabilities.strict_tools === false ? withoutStrict(given, index, adjustments) : given;
  const called = tool.function;
  if (called === undefined) return tool;
  const path = ['tools', index, 'function', 'parameters'];
  const support = (called.strict === true ? capabilities.strict_tool_schema : undefined) ?? capabilities.tool_schema;
  const described = objectOf(called.parameters) ?? undefined;
  const plain = plainParameters(described, capabilities, path, adjustments);
  const parameters = plain && plainSchema(plain, capabilities, path, adjustments);
  if (support === undefined || parameters === undefined) {
    return parameters === described ? tool : { ...tool, function: { ...called, parameters } };
  }
  if (support.objects === 'complete' && !canBeComplete(parameters)) {
    adjustments.changed(['tools', index, 'function', 'strict'], 'schema_not_strict');
    return { ...tool, function: { ...called, parameters, strict: false } };
  }
  return { ...tool, function: { ...called, parameters: translatedSchema(parameters, support, path, adjustments) } };
}

function withoutStrict(tool: FunctionTool, index: number, adjustments: RequestAdjustments): FunctionTool {
  if (tool.function?.strict == null) return tool;
  if (tool.function.strict) adjustments.leftOut(['tools', index, 'function', 'strict'], 'refused_by_model');
  const { strict: _strict, ...called } = tool.function;
  return { ...tool, function: called };
}

/** Parameters as an object with a type and properties, and without alternatives at the root, where its provider wants that. */
function plainParameters(
  parameters: JsonObject | undefined,
  { tool_parameters: form, root_combinators: combinators }: ModelCapabilities,
  path: readonly (string | number)[],
  adjustments: RequestAdjustments,
): JsonObject | undefined {
  if (parameters === undefined) return undefined;
  let plain = parameters;
  const combinator = combinators === false ? COMBINATORS.find((name) => Array.isArray(plain[name])) : undefined;
  if (combinator !== undefined) {
    plain = withoutRootCombinator(plain, combinator, adjustments.work);
    adjustments.changed([...path, combinator], 'combinator_at_root');
  }
  if (form === undefined || form === 'any' || plain['$ref'] !== undefined) return plain;
  if (plain['type'] !== 'object') {
    adjustments.changed([...path, 'type'], 'type_missing');
    plain = { ...plain, type: 'object' };
  }
  // A schema that says nothing else is written whole.
  const isNamed = form === 'object' && Object.keys(parameters).length > 0;
  if (isNamed || objectOf(plain['properties']) !== undefined) return plain;
  adjustments.changed([...path, 'properties'], 'properties_missing');
  return { ...plain, properties: {} };
}

/** One object that every alternative fits, which the description names: the properties of all, of which those are required that all require. */
function withoutRootCombinator(schema: JsonObject, combinator: Combinator, work: WorkBudget): JsonObject {
  const { [combinator]: value, ...own } = schema;
  const parts: readonly JsonObject[] = (value as unknown[]).map(objectOf).filter((part) => part !== undefined);
  const merged = combinator === 'allOf' ? mergedSchemas(schema, parts, work) : undefined;
  if (merged !== undefined) return merged;
  const all: readonly JsonObject[] = [own, ...parts];
  const properties = Object.fromEntries(all.flatMap((part) => Object.entries(objectOf(part['properties']) ?? {})));
  const common = inAll(parts.map((part) => listOf(part['required'])));
  const required = [...new Set([...listOf(own['required']), ...common])];
  const said = `{${combinator}: ${JSON.stringify(value)}}`;
  const { description } = own;
  return {
    ...own,
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    description: typeof description === 'string' ? `${description}\n\n${said}` : said,
  };
}

/** What stands in each of several lists. */
function inAll([first = [], ...others]: readonly (readonly unknown[])[]): unknown[] {
  let common = new Set(first);
  for (const list of others) common = new Set(list.filter((value) => common.has(value)));
  return first.filter((value) => common.has(value));
}
