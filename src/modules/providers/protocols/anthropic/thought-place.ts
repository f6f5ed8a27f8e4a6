import { type JsonObject, nonEmptyText } from '../../json-values.js';

/** How much of an answer stood before a thought. */
export interface ThoughtPlace {
  /** UTF-16 units of text. */
  readonly text: number;
  /** Calls of tools. */
  readonly calls: number;
}

const PLACE = /^after-(\d{1,9})-(\d{1,6})$/;

/**
 * The `id` of the detail of a thought: how much text and how many calls stood before it. Clients of chats hand back details
 * untouched, but a message of a chat cannot say where each stood (docs/interface/inference.md#reasoning).
 *
 * @param thoughtsBefore how many thoughts stood before it
 * @returns undefined for the first block of an answer, whose place needs no words
 */
export function idOfThought(thoughtsBefore: number, { text, calls }: ThoughtPlace): string | undefined {
  return thoughtsBefore + text + calls === 0 ? undefined : `after-${text}-${calls}`;
}

/** Reads {@link idOfThought}. @returns undefined for a detail that says no place */
export function thoughtPlaceOf({ id }: JsonObject): ThoughtPlace | undefined {
  const [, text, calls] = PLACE.exec(nonEmptyText(id) ?? '') ?? [];
  return text === undefined ? undefined : { text: Number(text), calls: Number(calls) };
}
