import { isObject } from '../../../../http/validation/constraints.js';

/**
 * `gen_ai.tool.definitions`: tools in the form of OpenTelemetry's conventions for generative AI, with `name` beside `type`. The nested form
 * of OpenAI's chats is unfolded, and a tool in Anthropic's form gets the names that its fields have there. Tools of a provider's own stay as
 * they are; one without a name has that of its type.
 */
export function toolDefinitionsOf(tools: readonly unknown[] | undefined): readonly unknown[] | undefined {
  return tools?.map((tool) => (isObject(tool) ? definitionOf(tool) : tool));
}

function definitionOf(tool: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const type = typeof tool['type'] === 'string' ? tool['type'] : undefined;
  if (type === undefined) return functionOf(tool);
  const nested = Object.hasOwn(tool, type) ? tool[type] : undefined;
  if (isObject(nested)) return { type, ...nested };
  if (type === 'custom' && isObject(tool['input_schema'])) return functionOf(tool);
  return { name: type, ...tool };
}

/** A tool of Anthropic's form, which need not say that it is a function. */
function functionOf({
  input_schema: schema,
  ...tool
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...tool, type: 'function', ...(schema !== undefined && { parameters: schema }) };
}
