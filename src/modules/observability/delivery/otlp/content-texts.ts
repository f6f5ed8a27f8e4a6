import type { EventContent } from '../generation-event.js';
import { jsonText } from '../json-text.js';

/** `gen_ai.prompt`: the messages or the prompt, as JSON. */
export function promptTextOf({ input }: EventContent): string | undefined {
  return jsonText(input);
}

/** `gen_ai.completion`: text, reasoning and tool calls of the answer, as JSON. */
export function answerTextOf({ output }: EventContent): string | undefined {
  return jsonText({ completion: output.completion, reasoning: output.reasoning, toolCalls: output.toolCalls });
}
