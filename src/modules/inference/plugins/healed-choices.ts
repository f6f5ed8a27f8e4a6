import type { ChatChoice } from '../../providers/chat-completion.js';
import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';
import { healedJson } from './healed-json.js';
import { asksFor, type PluginStage } from './plugins.js';

const JSON_FORMATS: ReadonlySet<unknown> = new Set(['json_object', 'json_schema']);

/** Choices whose texts were repaired, and how many of them. */
interface HealedChoices {
  readonly choices: readonly ChatChoice[];
  /** Undefined where nothing was repaired. */
  readonly stage?: PluginStage;
}

/**
 * Repairs the JSON of answers that were to be JSON, where the request asks for it (docs/interface/inference.md#plugins). Only of answers
 * that their provider has finished: what was cut does not become a whole document.
 */
export function healedChoices(body: ChatCompletionRequest, choices: readonly ChatChoice[]): HealedChoices {
  if (!asksFor(body, 'response-healing') || !JSON_FORMATS.has(body.response_format?.['type'])) return { choices };
  let repaired = 0;
  const healed = choices.map((choice) => {
    const { content } = choice.message;
    const document = typeof content === 'string' && choice.finish_reason === 'stop' ? healedJson(content) : undefined;
    if (document === undefined) return choice;
    repaired += 1;
    return { ...choice, message: { ...choice.message, content: document } };
  });
  if (repaired === 0) return { choices };
  return {
    choices: healed,
    stage: { id: 'response-healing', summary: `repaired ${repaired} of ${choices.length}`, data: { repaired } },
  };
}
