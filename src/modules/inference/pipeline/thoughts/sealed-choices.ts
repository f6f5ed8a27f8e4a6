import type { ChatChoice, ChatChunk } from '../../../codecs/chat/chat-completion.js';
import { mayHaveOpaqueThoughts, withOpaqueThoughts } from '../../../codecs/chat/opaque-thoughts.js';

/** Seals a text that only its provider can read. */
type Sealer = (text: string) => string;

/** The choices of a whole answer with the thoughts sealed that only their provider can read. */
export function sealedChoices(choices: readonly ChatChoice[], seal: Sealer): readonly ChatChoice[] {
  return choices.map((choice) => {
    const message = withOpaqueThoughts(choice.message, seal);
    return message === choice.message ? choice : { ...choice, message };
  });
}

/** A part of a streamed answer with such thoughts sealed. Each comes in one part. */
export function sealedChunk(chunk: ChatChunk, seal: Sealer): ChatChunk {
  // Nearly no chunk has any.
  if (!chunk.choices.some(({ delta }) => mayHaveOpaqueThoughts(delta))) return chunk;
  const choices = chunk.choices.map((choice) => ({ ...choice, delta: withOpaqueThoughts(choice.delta, seal) }));
  return Object.assign({}, chunk, { choices });
}
