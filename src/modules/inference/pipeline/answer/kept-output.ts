import type { ChatChoice, ChatChunkChoice, ToolCallDelta } from '../../../codecs/chat/chat-completion.js';
import { BoundedText } from '../../../generations/content/bounded-text.js';
import { boundedText, type ContentOutput } from '../../../generations/content/generation-content.js';
import type { EventToolCall } from '../../../observability/delivery/generation-event.js';

/** What is kept of an answer: the text, the reasoning and the tool calls of its first choice. The text of one that refuses is its refusal. */
export interface KeptOutput extends ContentOutput {
  readonly toolCalls: readonly EventToolCall[];
}

/** No output, and nothing of one. */
export const NOTHING_KEPT: KeptOutput = { completion: null, reasoning: null, toolCalls: [] };

/** How many tool calls are kept, and how much of the arguments of each, in bytes of UTF-8. */
const MAXIMUM_CALLS = 128;
const MAXIMUM_ARGUMENTS = 65_536;

/** How much of the id and the name of a call is kept, in bytes of UTF-8: far more than any has. */
const MAXIMUM_NAME = 1_024;

/** What a call takes besides its arguments, in bytes of the heap. */
const CALL_BYTES = 200;

/** What is kept of an answer that came whole. */
export function keptOutputOf([choice]: readonly ChatChoice[]): KeptOutput {
  const calls = choice?.message.tool_calls ?? [];
  return {
    completion: keptText(choice?.message.content) ?? keptText(choice?.message.refusal),
    reasoning: keptText(choice?.message.reasoning),
    toolCalls: calls.slice(0, MAXIMUM_CALLS).map(({ id, function: { name, arguments: text } }) => ({
      id: boundedText(id, MAXIMUM_NAME),
      name: boundedText(name, MAXIMUM_NAME),
      arguments: boundedText(text, MAXIMUM_ARGUMENTS),
    })),
  };
}

function keptText(text: string | null | undefined): string | null {
  return typeof text === 'string' ? boundedText(text) : null;
}

/** A tool call that comes in parts. */
interface OpenCall {
  id: string;
  name: string;
  readonly arguments: BoundedText;
}

/** What is kept of an answer that is streamed, so far. */
export class StreamedOutput {
  private readonly completion = new BoundedText();
  private readonly reasoning = new BoundedText();
  private readonly calls = new Map<number, OpenCall>();
  /** Of the calls; counted as they come, because every chunk asks for it. */
  private callBytes = 0;

  /** The estimated bytes of the heap that it takes. */
  get keptBytes(): number {
    return this.completion.keptBytes + this.reasoning.keptBytes + this.callBytes;
  }

  get output(): KeptOutput {
    return {
      completion: this.completion.text,
      reasoning: this.reasoning.text,
      toolCalls: [...this.calls.values()].map(({ id, name, arguments: text }) => ({
        id,
        name,
        arguments: boundedText(text.text ?? '', MAXIMUM_ARGUMENTS),
      })),
    };
  }

  add(choices: readonly ChatChunkChoice[]): void {
    for (const { index, delta } of choices) {
      if (index !== 0) continue;
      this.completion.add(delta.content);
      this.completion.add(delta.refusal);
      this.reasoning.add(delta.reasoning);
      for (const call of delta.tool_calls ?? []) this.addCall(call);
    }
  }

  private addCall({ index, id, function: called }: ToolCallDelta): void {
    let call = this.calls.get(index);
    if (call === undefined) {
      if (this.calls.size >= MAXIMUM_CALLS) return;
      call = { id: '', name: '', arguments: new BoundedText() };
      this.calls.set(index, call);
      this.callBytes += CALL_BYTES;
    }
    if (id !== undefined) call.id = boundedText(id, MAXIMUM_NAME);
    if (call.name.length < MAXIMUM_NAME) call.name = boundedText(`${call.name}${called?.name ?? ''}`, MAXIMUM_NAME);
    const { keptBytes } = call.arguments;
    if (keptBytes < 2 * MAXIMUM_ARGUMENTS) call.arguments.add(called?.arguments);
    this.callBytes += call.arguments.keptBytes - keptBytes;
  }
}
