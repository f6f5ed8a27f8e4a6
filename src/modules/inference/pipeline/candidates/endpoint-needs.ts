import type { EndpointNeeds } from '../../../routing/endpoint-exclusion.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { parametersOf } from '../request/upstream-request.js';

/** A token of any text has at most this many bytes of UTF-8 in the long run: a prompt has at least its bytes over this. */
export const MAXIMUM_BYTES_PER_TOKEN = 8;

const MODALITY_BY_PART: Readonly<Record<string, string>> = {
  image_url: 'image',
  input_audio: 'audio',
  video_url: 'video',
  input_video: 'video',
  file: 'file',
};

/** What a request asks of the endpoints that may answer it. */
export function needsOf(body: ClientChatRequest): EndpointNeeds {
  let bytes = 0;
  const inputModalities = new Set<string>();
  for (const { content } of body.messages) {
    if (typeof content === 'string') bytes += Buffer.byteLength(content);
    if (!Array.isArray(content)) continue;
    for (const { type, text } of content as readonly { type: string; text?: unknown }[]) {
      if (typeof text === 'string') bytes += Buffer.byteLength(text);
      const modality = Object.hasOwn(MODALITY_BY_PART, type) ? MODALITY_BY_PART[type] : undefined;
      if (modality !== undefined) inputModalities.add(modality);
    }
  }
  return {
    promptTokens: Math.floor(bytes / MAXIMUM_BYTES_PER_TOKEN),
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    inputModalities,
    outputModalities: new Set(body.modalities ?? []),
    usesTools: (body.tools?.length ?? 0) > 0,
    parameters: parametersOf(body),
    preferredParameters: preferredParametersOf(body),
  };
}

/**
 * The parameters of a request without which its answer is another one than the caller expects, by the names of the catalog. Endpoints
 * that list them go before others (docs/interface/inference.md#order).
 */
function preferredParametersOf(body: ClientChatRequest): ReadonlySet<string> {
  const { response_format: format, verbosity, tools, tool_choice: choice } = body;
  const names: string[] = [];
  const type = format?.type ?? 'text';
  if (type !== 'text') names.push('response_format');
  if (type === 'json_schema') names.push('structured_outputs');
  if (typeof verbosity === 'string') names.push('verbosity');
  if ((tools?.length ?? 0) > 0 && (choice ?? 'auto') !== 'auto') names.push('tool_choice');
  return new Set(names);
}
