import { type ChatMessage, type FunctionTool, isInstructing } from '../../../codecs/chat/chat-completion.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';

interface PresetSettings {
  readonly config: Readonly<Record<string, unknown>>;
  readonly systemPrompt: string | null;
}

/**
 * Puts a request over a preset (docs/interface/inference.md#presets): a field of the request replaces that of the preset as a
 * whole, tools are combined, and the preset's system prompt comes first if the request has no system message.
 *
 * @returns the body as if the caller had sent it whole; what a preset says may be of any form
 */
export function mergePreset(
  body: ClientChatRequest,
  { config, systemPrompt }: PresetSettings,
): Record<string, unknown> {
  const tools = mergedTools(config.tools, body.tools);
  return {
    ...config,
    ...body,
    ...(tools !== undefined && { tools }),
    messages: withSystemPrompt(body.messages, systemPrompt),
  };
}

function withSystemPrompt(messages: readonly ChatMessage[], prompt: string | null): readonly ChatMessage[] {
  const hasOwn = messages.some(({ role }) => isInstructing(role));
  return prompt === null || hasOwn ? messages : [{ role: 'system', content: prompt }, ...messages];
}

/** The tools of the preset in their order, each replaced by the request's of the same identity, then the others of the request. */
function mergedTools(ofPreset: unknown, ofRequest: readonly FunctionTool[] | null | undefined): unknown {
  if (ofRequest === undefined || !Array.isArray(ofPreset)) return ofRequest === undefined ? undefined : ofRequest;
  const byIdentity = new Map(
    [...(ofPreset as readonly FunctionTool[]), ...(ofRequest ?? [])].map((tool) => [identityOf(tool), tool]),
  );
  return [...byIdentity.values()];
}

function identityOf(tool: FunctionTool | null): string {
  return tool?.type === 'function' ? `function ${tool.function?.name}` : String(tool?.type);
}
