import type { ChatChunk, ChatChunkChoice } from '../../../providers/chat-completion.js';
import type { AnswerOrigin, StreamedForm } from '../../answer/answer-form.js';
import { answerHead } from '../../answer/answer-head.js';
import { errorChunk } from '../../answer/error-chunk.js';
import { DONE, type StreamEvent } from '../../answer/event-stream.js';
import type { AnswerUsage } from '../../answer/usage.js';
import { MAXIMUM_CHOICES } from '../../rules/choice-count-rules.js';
import { TextChoice } from './text-choice.js';

/** Writes one stream in the legacy form from the chunks of a chat (docs/interface/completions.md#streams). */
export class StreamedText implements StreamedForm {
  private readonly head: object;
  private readonly choices = new Map<number, TextChoice>();

  /** @param opening what stands before the first choice that says something */
  constructor(
    private readonly origin: AnswerOrigin,
    private readonly opening: string,
  ) {
    this.head = answerHead(origin.draft, origin.candidate, 'text_completion');
  }

  /** Choices beyond those that can be asked for are left out. */
  chunk({ choices }: ChatChunk): readonly StreamEvent[] {
    const written = choices.filter(hasText).flatMap((choice) => {
      const { delta, ...rest } = choice;
      return this.choiceAt(choice.index)?.write({ ...rest, text: delta.content }) ?? [];
    });
    return written.length === 0 ? [] : [{ data: { ...this.head, choices: written } }];
  }

  end(usage: AnswerUsage, serviceTier: string | null): readonly StreamEvent[] {
    const tier = serviceTier !== null && { service_tier: serviceTier };
    return [{ data: { ...this.head, choices: [], ...tier, usage, ...this.origin.routing() } }, DONE];
  }

  failure(error: unknown): readonly StreamEvent[] {
    return [{ data: errorChunk(this.origin, this.head, { text: '', logprobs: null }, error) }];
  }

  private choiceAt(index: number): TextChoice | undefined {
    const known = this.choices.get(index);
    if (known !== undefined || this.choices.size >= MAXIMUM_CHOICES) return known;
    const choice = new TextChoice(index, this.choices.size === 0 ? this.opening : '');
    this.choices.set(index, choice);
    return choice;
  }
}

/** Whether a chunk brings a choice anything that the form has a place for, which it has not for reasoning. */
function hasText({ delta, finish_reason: reason, logprobs }: ChatChunkChoice): boolean {
  return (delta.content ?? '') !== '' || reason !== null || (logprobs ?? null) !== null;
}
