import type { ChatMessage } from './chat-completion.js';
import { nonEmptyText, objectOf } from './json-values.js';
import { withoutFields } from './messages-fields.js';

const AUDIO: ReadonlySet<string> = new Set(['audio']);

/** The id under which a provider keeps what an earlier answer has spoken (https://platform.openai.com/docs/guides/audio); undefined for none. */
export function idOfSpoken({ role, audio }: ChatMessage): string | undefined {
  return role === 'assistant' ? nonEmptyText(objectOf(audio)?.['id']) : undefined;
}

/** A message with nothing but the id of what it has spoken: the provider knows the rest, and clients send back all of it. */
export function withIdOfSpoken(message: ChatMessage): ChatMessage {
  const id = idOfSpoken(message);
  return id === undefined ? message : { ...message, audio: { id } };
}

/** A message with what it has spoken as a text, unless it has one, for providers that keep no audio. */
export function withTranscript(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant' || objectOf(message['audio']) === undefined) return message;
  const { content } = message;
  const transcript = nonEmptyText(objectOf(message['audio'])?.['transcript']);
  const isSilent = content == null || content.length === 0;
  const written = withoutFields(message, AUDIO);
  return isSilent && transcript !== undefined ? { ...written, content: transcript } : written;
}
