import type { ChatChoice, ChatChunk, ChatChunkChoice, ChatCompletion } from '../../providers/chat-completion.js';
import { answerHead } from './answer-head.js';
import type { AnswerForm, AnswerOrigin, StreamedForm } from './answer-form.js';
import { errorChunk } from './error-chunk.js';
import { DONE, type StreamEvent } from './event-stream.js';
import type { AnswerUsage } from './usage.js';

/** The form of `POST /chat/completions` (docs/interface/inference.md#streams). */
export const CHAT_ANSWER_FORM: AnswerForm = {
  whole({ draft, candidate, routing }: AnswerOrigin, completion: ChatCompletion, usage: AnswerUsage): object {
    const { choices, serviceTier, systemFingerprint } = completion;
    const { id, object, created, model, provider } = answerHead(draft, candidate, 'chat.completion');
    return {
      id,
      object,
      created,
      model,
      provider,
      // Required by clients of the public interface, and a text to those of OpenAI's: empty where the provider has none.
      system_fingerprint: systemFingerprint ?? '',
      service_tier: serviceTier ?? undefined,
      choices: choices.map(withEveryField),
      usage,
      ...routing(),
    };
  },

  stream(origin: AnswerOrigin): StreamedForm {
    return new StreamedChat(origin);
  },
};

/** A choice with the fields that are null where there is nothing to say: typed clients require them. */
function withEveryField({ message, ...choice }: ChatChoice): object {
  return { ...choice, message: { ...message, refusal: message.refusal ?? null }, logprobs: choice.logprobs ?? null };
}

/** Writes the chunks of one stream. */
class StreamedChat implements StreamedForm {
  private readonly head: object;
  /** The JSON of a chunk up to its choices, which is the same for all. */
  private readonly beginning: string;
  /** The indexes of the choices that have had their role. */
  private readonly begun = new Set<number>();
  /** The most recent of these, checked first because nearly all chunks belong to it. */
  private lastBegun: number | undefined;
  private fingerprint: string | undefined;

  constructor(private readonly origin: AnswerOrigin) {
    this.head = answerHead(origin.draft, origin.candidate, 'chat.completion.chunk');
    this.beginning = `${JSON.stringify(this.head).slice(0, -1)},"choices":`;
  }

  echo(body: object): readonly StreamEvent[] {
    return [{ data: { ...this.head, choices: [], debug: { echo_upstream_body: body } } }];
  }

  chunk({ choices, systemFingerprint }: ChatChunk): readonly StreamEvent[] {
    this.fingerprint ??= systemFingerprint ?? undefined;
    if (choices.length === 0) return [];
    const shown = this.haveBegun(choices) ? choices : choices.map((choice) => this.withRole(choice));
    return [{ data: `${this.beginning}${JSON.stringify(shown)}}` }];
  }

  end(usage: AnswerUsage, serviceTier: string | null): readonly StreamEvent[] {
    const tier = serviceTier !== null && { service_tier: serviceTier };
    const fingerprint = this.fingerprint !== undefined && { system_fingerprint: this.fingerprint };
    return [{ data: { ...this.head, choices: [], ...fingerprint, ...tier, usage, ...this.origin.routing() } }, DONE];
  }

  failure(error: unknown): readonly StreamEvent[] {
    return [{ data: errorChunk(this.origin, this.head, { delta: { content: '' } }, error) }];
  }

  private haveBegun(choices: readonly ChatChunkChoice[]): boolean {
    for (const { index } of choices) if (index !== this.lastBegun && !this.begun.has(index)) return false;
    return true;
  }

  /**
   * Adds the role to a choice's first chunk: clients reject a choice without one, and some providers send it never, or only with
   * reasoning.
   */
  private withRole(choice: ChatChunkChoice): ChatChunkChoice {
    if (this.begun.has(choice.index)) return choice;
    this.begun.add(choice.index);
    this.lastBegun = choice.index;
    return { ...choice, delta: { role: 'assistant', ...choice.delta } };
  }
}
