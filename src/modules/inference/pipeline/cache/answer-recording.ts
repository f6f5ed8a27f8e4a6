import type { ChatChunk, ChatCompletion, FinishReason } from '../../../codecs/chat/chat-completion.js';
import type { Units } from '../cost/units.js';
import { neutralJson } from './neutral-json.js';

/** How an answer ends that is complete. */
const COMPLETE: ReadonlySet<FinishReason | null> = new Set(['stop', 'length', 'tool_calls']);

/** What is kept of an answer while it comes: nothing of one that is too large, was refused or did not end well. */
export class AnswerRecording {
  private parts: string[] | undefined = [];
  private length = 0;
  private isList = false;
  /** How each choice of a stream has ended so far. */
  private readonly ends = new Map<number, FinishReason | null>();

  /** @param maximumLength of the answer, in characters of JSON */
  constructor(private readonly maximumLength: number) {}

  /** The answer as JSON; undefined for one that is not kept. */
  get text(): string | undefined {
    if (this.parts === undefined || this.parts.length === 0) return undefined;
    if ([...this.ends.values()].some((end) => !COMPLETE.has(end))) return undefined;
    return this.isList ? `[${this.parts.join(',')}]` : this.parts[0];
  }

  completion(answer: ChatCompletion): void {
    for (const { index, finish_reason: reason, message, error } of answer.choices) {
      this.ends.set(index, error === undefined ? reason : 'error');
      if (isRefused(message.refusal)) this.drop();
    }
    this.keep({ ...answer, usage: null });
  }

  /** Takes the next part of a streamed answer. */
  chunk({ usage: _usage, ...chunk }: ChatChunk): void {
    this.isList = true;
    for (const { index, finish_reason: reason, delta } of chunk.choices) {
      this.ends.set(index, reason ?? this.ends.get(index) ?? null);
      if (isRefused(delta.refusal)) this.drop();
    }
    this.keep(chunk);
  }

  /** Takes a result that is no chat, without what was counted for it. */
  result({ units: _units, ...result }: { readonly units?: Units }): void {
    this.keep({ ...result, usage: null });
  }

  private keep(part: object): void {
    if (this.parts === undefined) return;
    const text = neutralJson(part, this.maximumLength - this.length);
    this.length += (text?.length ?? 0) + 1;
    if (text === undefined || this.length > this.maximumLength) this.drop();
    else this.parts.push(text);
  }

  private drop(): void {
    this.parts = undefined;
  }
}

function isRefused(refusal: unknown): boolean {
  return typeof refusal === 'string' && refusal !== '';
}
