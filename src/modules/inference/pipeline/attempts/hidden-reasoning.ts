import type { ProviderProtocolName } from '../../../../config/provider-variables.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { reasoningOf } from '../request/upstream-request.js';
import type { Candidate } from '../request/candidate.js';

/** The protocols of providers that show nothing of what their models think, or a summary of it, and that only where it is asked for. */
const HIDING_PROTOCOLS: ReadonlySet<ProviderProtocolName> = new Set(['openai', 'openai-responses']);

/**
 * Whether a candidate may think before and while it answers without showing it, so that only the provider knows how many tokens
 * an answer has so far. The form of the Messages API shows what its models think.
 */
export function mayThinkUnseen({ model, endpoint, connection }: Candidate, body: ClientChatRequest): boolean {
  const asked = reasoningOf(body);
  const isMandatory = model.row.reasoning?.mandatory === true;
  if (!isMandatory && (asked?.effort === 'none' || asked?.enabled === false)) return false;
  const canThink = model.row.reasoning !== null || endpoint.row.supportedParameters.includes('reasoning');
  return canThink && HIDING_PROTOCOLS.has(connection.protocol);
}
