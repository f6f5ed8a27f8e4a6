import type { AssistantMessage, ChatChoice, ChatChunk, ChatDelta } from '../../../codecs/chat/chat-completion.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { isThoughtSignature } from '../../../codecs/chat/thought-signatures.js';
import { MESSAGES_FIELDS } from '../../../codecs/chat/messages-fields.js';
import { reasoningOf } from '../request/upstream-request.js';

/** Whether a request asks to leave the reasoning out of its answer (docs/interface/inference.md#reasoning). */
export function excludesReasoning(body: ClientChatRequest): boolean {
  return reasoningOf(body)?.exclude === true;
}

/** The choices of a whole answer without their reasoning. */
export function withoutReasoning(choices: readonly ChatChoice[]): ChatChoice[] {
  return choices.map(({ message, ...choice }) => ({ ...choice, message: silent(message) }));
}

/** A chunk without reasoning; choices that brought nothing else are left out. */
export function chunkWithoutReasoning(chunk: ChatChunk): ChatChunk {
  const choices = chunk.choices.flatMap(({ delta, ...choice }) => {
    const rest = silent(delta);
    const isEmpty =
      choice.finish_reason === null &&
      choice[MESSAGES_FIELDS] === undefined &&
      Object.keys(rest).every((name) => name === 'role');
    return isEmpty ? [] : [{ ...choice, delta: rest }];
  });
  return { ...chunk, choices };
}

/** What signs a thought is left: it can only be handed back, and its provider refuses calls without it. */
function silent<Said extends ChatDelta | AssistantMessage>(said: Said): Said {
  const { reasoning: _reasoning, reasoning_details: details, ...rest } = said;
  const signatures = details?.filter(isThoughtSignature) ?? [];
  return { ...rest, ...(signatures.length > 0 && { reasoning_details: signatures }) } as Said;
}
