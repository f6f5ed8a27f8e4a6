import { detailsOfText, type ReasoningDetail } from '../../carried-reasoning.js';
import type { InputPart, InputReasoning } from './input-item.js';

/** What a model has thought, as a message of a chat completion has it. */
export interface ReturnedReasoning {
  /** The text; empty if only the provider can read the reasoning. */
  readonly reasoning: string;
  readonly details: readonly ReasoningDetail[];
}

/** The format of reasoning for which none is named. */
const UNKNOWN_FORMAT = 'unknown';

/**
 * Reads an item of reasoning that a client hands back. Reasoning that is neither signed nor encrypted has no details, because
 * its text says everything.
 */
export function returnedReasoningOf(item: InputReasoning): ReturnedReasoning {
  const { encrypted_content: encrypted, signature, content, summary } = item;
  const carried = typeof encrypted === 'string' ? detailsOfText(encrypted) : undefined;
  const shown = joinedText(content) || joinedText(summary);
  if (carried !== undefined) {
    const reasoning = shown || carried.map(textOfDetail).join('');
    return { reasoning, details: carried.filter((detail) => !isPlainText(detail)) };
  }
  const format = item.format ?? UNKNOWN_FORMAT;
  return {
    reasoning: shown,
    details: [
      ...(typeof signature === 'string' ? [{ type: 'reasoning.text', format, text: shown, signature }] : []),
      ...(typeof encrypted === 'string' ? [{ type: 'reasoning.encrypted', format, data: encrypted }] : []),
    ],
  };
}

function joinedText(parts: readonly InputPart[] | null | undefined): string {
  return (parts ?? []).map(({ text }) => text ?? '').join('');
}

function textOfDetail({ text, summary }: ReasoningDetail): string {
  if (typeof text === 'string') return text;
  return typeof summary === 'string' ? summary : '';
}

/** Whether a detail says nothing but its text, for providers that want back the text alone. */
function isPlainText({ type, format, signature }: ReasoningDetail): boolean {
  return type === 'reasoning.text' && format === undefined && signature === undefined;
}
