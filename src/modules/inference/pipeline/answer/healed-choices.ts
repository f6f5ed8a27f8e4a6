import type { LongWork } from '../../../../concurrency/long-work.js';
import type { ChatChoice } from '../../../codecs/chat/chat-completion.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { healedJson } from './healed-json.js';
import { asksFor, type PluginStage } from '../request/plugins.js';

const JSON_FORMATS: ReadonlySet<unknown> = new Set(['json_object', 'json_schema']);

/** Whether a request asks for an answer in JSON. */
export function isJsonFormat({ response_format: format }: ClientChatRequest): boolean {
  return JSON_FORMATS.has(format?.['type']);
}

/** Choices with repaired texts, and the number of these. */
interface HealedChoices {
  readonly choices: readonly ChatChoice[];
  /** What was repaired; undefined where nothing was. */
  readonly stage?: PluginStage;
}

/**
 * Repairs the JSON of answers that were to be JSON, where the request asks for it (docs/interface/inference.md#plugins). Only of answers
 * that their provider has finished: what was cut does not become a whole document.
 *
 * @param work lets others use the event loop between two choices
 */
export async function healedChoices(
  body: ClientChatRequest,
  choices: readonly ChatChoice[],
  work: LongWork,
): Promise<HealedChoices> {
  if (!asksFor(body, 'response-healing') || !isJsonFormat(body)) return { choices };
  let repaired = 0;
  const healed: ChatChoice[] = [];
  for (const choice of choices) {
    if (work.mustRest) await work.rest();
    const { content } = choice.message;
    const document = typeof content === 'string' && choice.finish_reason === 'stop' ? healedJson(content) : undefined;
    if (document !== undefined) repaired += 1;
    healed.push(document === undefined ? choice : { ...choice, message: { ...choice.message, content: document } });
  }
  if (repaired === 0) return { choices };
  return {
    choices: healed,
    stage: { id: 'response-healing', summary: `repaired ${repaired} of ${choices.length}`, data: { repaired } },
  };
}
