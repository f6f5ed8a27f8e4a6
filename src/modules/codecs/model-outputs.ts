/** What a chat can be answered with: one of these outputs of a model. */
const CHAT_OUTPUTS: ReadonlySet<string> = new Set(['text', 'image', 'audio']);

/** Whether a model is one for chats, by its outputs. */
export function answersChats(outputs: readonly string[]): boolean {
  return outputs.some((output) => CHAT_OUTPUTS.has(output));
}

/** Whether a model is one for embeddings, by its outputs. */
export function makesEmbeddings(outputs: readonly string[]): boolean {
  return outputs.includes('embeddings');
}

/** Whether a model is one that speaks texts, by its outputs. */
export function speaks(outputs: readonly string[]): boolean {
  return outputs.includes('speech');
}

/** Whether a model is one that writes down what is said, by its outputs. */
export function transcribes(outputs: readonly string[]): boolean {
  return outputs.includes('transcription');
}

/** Whether a model is one that draws images, by its outputs. */
export function drawsImages(outputs: readonly string[]): boolean {
  return outputs.includes('image');
}

/** Whether a model is one that ranks documents, by its outputs. */
export function reranks(outputs: readonly string[]): boolean {
  return outputs.includes('rerank');
}
