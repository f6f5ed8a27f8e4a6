import { isObject } from '../../../http/validation/constraints.js';
import type { FunctionTool, ToolChoice } from '../chat/chat-completion.js';

/** A function in the form of the Responses interface. */
interface ResponsesFunction {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string | null;
  readonly parameters?: Readonly<Record<string, unknown>> | null;
  readonly strict?: boolean | null;
  readonly [field: string]: unknown;
}

/** A tool that is called with a text of any form, which a grammar may describe. */
interface ResponsesCustomTool {
  readonly type: 'custom';
  readonly name: string;
  readonly description?: string | null;
  readonly format?: Readonly<Record<string, unknown>> | null;
  readonly [field: string]: unknown;
}

/** A group of tools; each is called by the name of the group and its own name. */
interface ResponsesNamespace {
  readonly type: 'namespace';
  readonly name: string;
  readonly tools: readonly (ResponsesFunction | ResponsesCustomTool)[];
  readonly [field: string]: unknown;
}

/** A search for tools that are not offered yet. The caller runs it, and hands in what it has found. */
interface ResponsesToolSearch {
  readonly type: 'tool_search';
  readonly execution: 'client';
  readonly description?: string | null;
  readonly parameters?: Readonly<Record<string, unknown>> | null;
}

/** A search of the web, which the provider would run. */
interface ResponsesWebSearch {
  readonly type: (typeof WEB_SEARCHES)[number];
}

/** A tool in the form of the Responses interface (docs/interface/responses.md#tools). */
export type ResponsesTool =
  ResponsesFunction | ResponsesCustomTool | ResponsesNamespace | ResponsesToolSearch | ResponsesWebSearch;

/** The name under which a model is offered a search for tools, which has none. */
export const TOOL_SEARCH = 'tool_search';

/** The names of the search of the web. Coding agents offer it with every request, whatever the model. */
const WEB_SEARCHES = [
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
] as const;

/** A tool that the caller runs, and under which name the model is offered it. */
export interface OfferedTool {
  readonly offeredName: string;
  readonly namespace: string | undefined;
  readonly tool: ResponsesFunction | ResponsesCustomTool | (ResponsesToolSearch & { readonly name: string });
}

/** The name of a tool for models, which know no namespaces. */
export function offeredNameOf(name: string, namespace: unknown): string {
  if (typeof namespace !== 'string' || namespace === '') return name;
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`;
}

/**
 * The tools that a model is offered: those of namespaces one by one, and none that a provider would run.
 *
 * @param found by searches; one that has been found twice, or is among the others, is offered once
 */
export function offeredToolsOf(
  tools: readonly ResponsesTool[] | null | undefined,
  found: readonly ResponsesTool[] = [],
): OfferedTool[] {
  const offered = oneByOne(tools ?? []);
  const names = new Set(offered.map(({ offeredName }) => offeredName));
  for (const tool of oneByOne(found)) {
    if (names.has(tool.offeredName)) continue;
    names.add(tool.offeredName);
    offered.push(tool);
  }
  return offered;
}

function oneByOne(tools: readonly ResponsesTool[]): OfferedTool[] {
  return tools.filter(isRunByCaller).flatMap((tool): OfferedTool[] => {
    switch (tool.type) {
      case 'function':
      case 'custom':
        return [{ offeredName: tool.name, namespace: undefined, tool }];
      case 'namespace':
        return tool.tools.filter(isRunByCaller).map((one) => ({
          offeredName: offeredNameOf(one.name, tool.name),
          namespace: tool.name,
          tool: one,
        }));
      case 'tool_search':
        return [{ offeredName: TOOL_SEARCH, namespace: undefined, tool: { ...tool, name: TOOL_SEARCH } }];
      default:
        return [];
    }
  });
}

/** Whether a tool is one that the caller runs; others are left out. */
export function isRunByCaller(tool: unknown): boolean {
  if (!isObject(tool)) return false;
  return (
    tool.type === 'function' ||
    tool.type === 'custom' ||
    tool.type === 'namespace' ||
    (tool.type === 'tool_search' && tool.execution === 'client')
  );
}

/** Whether something in a list of tools is a search of the web. */
export function isWebSearch(tool: unknown): boolean {
  return isObject(tool) && WEB_SEARCHES.some((type) => type === tool.type);
}

interface NamedTool {
  readonly name: string;
  readonly namespace?: string | null;
}

/** Which tool is called, in the form of the Responses interface. */
export type ResponsesToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | ({ readonly type: 'function' | 'custom' } & NamedTool)
  | { readonly type: 'allowed_tools'; readonly mode: 'auto' | 'required'; readonly tools: readonly NamedTool[] };

/** The tools of a chat completion, and the choice among them. */
interface ChatTools {
  readonly tools?: readonly FunctionTool[];
  readonly tool_choice?: ToolChoice;
}

/** The parameters of a function that stands for a tool with a text of any form. */
const TEXT_PARAMETERS = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
} as const;

/**
 * Writes the tools of a request as those of a chat completion. Of tools that a choice does not allow none is offered.
 *
 * @param found by searches of the conversation
 */
export function chatToolsOf(
  tools: readonly ResponsesTool[] | null | undefined,
  choice: ResponsesToolChoice | null | undefined,
  found: readonly ResponsesTool[] = [],
): ChatTools {
  const all = offeredToolsOf(tools, found);
  // Providers refuse an empty list, and a choice without a list.
  if (all.length === 0 && (tools ?? []).length > 0) return {};
  const offered = typeof choice === 'object' && choice?.type === 'allowed_tools' ? allowedOf(all, choice.tools) : all;
  return {
    ...((found.length > 0 || (tools !== undefined && tools !== null)) && { tools: offered.map(chatToolOf) }),
    ...(choice !== undefined && choice !== null && { tool_choice: chatChoiceOf(choice) }),
  };
}

function allowedOf(tools: readonly OfferedTool[], allowed: readonly NamedTool[]): readonly OfferedTool[] {
  const names = new Set(allowed.map(({ name, namespace }) => offeredNameOf(name, namespace)));
  return tools.filter(({ offeredName }) => names.has(offeredName));
}

function chatToolOf({ offeredName: name, tool }: OfferedTool): FunctionTool {
  if (tool.type === 'custom') {
    return { type: 'function', function: { name, description: descriptionOf(tool), parameters: TEXT_PARAMETERS } };
  }
  const { description, parameters } = tool;
  const strict = tool.type === 'function' ? tool.strict : undefined;
  return {
    type: 'function',
    function: {
      name,
      ...(typeof description === 'string' && { description }),
      ...(parameters !== undefined && parameters !== null && { parameters: readableParameters(parameters) }),
      ...(typeof strict === 'boolean' && { strict }),
    },
  };
}

/** The parameters that a caller wants encrypted for another agent: a provider of any form gives them as they are. */
export function encryptedParametersOf({ parameters }: Pick<ResponsesFunction, 'parameters'>): readonly string[] {
  const { properties } = parameters ?? {};
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) =>
    isObject(schema) && schema.encrypted === true ? [name] : [],
  );
}

/** Parameters without the wish, which other providers do not know, and OpenAI grants to its own models only. */
function readableParameters(
  parameters: NonNullable<ResponsesFunction['parameters']>,
): NonNullable<ResponsesFunction['parameters']> {
  const names = new Set(encryptedParametersOf({ parameters }));
  if (names.size === 0) return parameters;
  const readable = Object.entries(parameters['properties'] as object).map(([name, schema]: [string, object]) => {
    if (!names.has(name)) return [name, schema];
    const { encrypted: _encrypted, ...others } = schema as Record<string, unknown>;
    return [name, others];
  });
  return { ...parameters, properties: Object.fromEntries(readable) as object };
}

/** A grammar is only described: most providers hold no text to one. */
function descriptionOf({ description, format }: ResponsesCustomTool): string {
  const given = description ?? '';
  if (format?.type !== 'grammar') return given;
  return `${given}\n\nThe input matches this grammar (${String(format.syntax)}):\n${String(format.definition)}`.trimStart();
}

function chatChoiceOf(choice: ResponsesToolChoice): ToolChoice {
  if (typeof choice === 'string') return choice;
  if (choice.type === 'allowed_tools') return choice.mode;
  return { type: 'function', function: { name: offeredNameOf(choice.name, choice.namespace) } };
}

/** The tools of a request by the names under which a model calls them. */
export type CalledTools = ReadonlyMap<string, OfferedTool>;
