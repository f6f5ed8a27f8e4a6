import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';

/**
 * The parameters of a request without which its answer is another one than the caller expects, by the names of the catalog. Endpoints
 * that list them go before others (docs/interface/inference.md#order).
 */
export function preferredParametersOf(body: ClientChatRequest): ReadonlySet<string> {
  const { response_format: format, verbosity, tools, tool_choice: choice } = body;
  const names: string[] = [];
  const type = format?.type ?? 'text';
  if (type !== 'text') names.push('response_format');
  if (type === 'json_schema') names.push('structured_outputs');
  if (typeof verbosity === 'string') names.push('verbosity');
  if ((tools?.length ?? 0) > 0 && (choice ?? 'auto') !== 'auto') names.push('tool_choice');
  return new Set(names);
}
