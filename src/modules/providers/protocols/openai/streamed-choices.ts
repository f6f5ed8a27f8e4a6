import type { ChatChunkChoice, ChatDelta } from '../../chat-completion.js';
import { type JsonObject, objectOf, placeOf } from '../../json-values.js';
import { ProviderError } from '../../provider-error.js';
import { hasContent } from '../../chunk-content.js';
import { logprobsOf, otherFieldsOfChoice } from './choice-fields.js';
import { deltaOf } from './delta.js';
import { type FinishReasons, finishReasonsOf, isOwnEnd, ownEnd, reasonsWithCalls } from './finish-reasons.js';
import { signatureOfText, signaturesInParts } from './thought-signatures.js';
import { CallCount, ToolCallPlaces } from './tool-call-places.js';

/** Far more than any request asks for. */
const MAXIMUM_CHOICES = 10_000;

/** What is known of a choice takes so many bytes of the heap, without its calls. */
const CHOICE_BYTES = 600;

/** What is known of a choice. */
interface StreamedChoice {
  readonly index: number;
  readonly calls: ToolCallPlaces;
  hasSpoken: boolean;
  /** Whether the choice has come in deltas: a message after them would repeat it. */
  hasDeltas: boolean;
  hasEnded: boolean;
}

/** The choices of one stream, which puts right what clients would not understand. */
export class StreamedChoices {
  private readonly choices = new Map<number, StreamedChoice>();
  private readonly callCount = new CallCount();
  /** How many have ended. */
  private ended = 0;
  /** Whether a choice has continued after its end, so that ends mean nothing: some servers give a reason with every chunk. */
  private hasGoneOn = false;

  /** The estimated bytes of what is kept of the choices. */
  get keptBytes(): number {
    return this.choices.size * CHOICE_BYTES + this.callCount.keptBytes;
  }

  /** Whether every choice that has begun has ended, and there is any. */
  get haveEnded(): boolean {
    let any = false;
    for (const { hasSpoken, hasEnded } of this.choices.values()) {
      if (hasSpoken && !hasEnded) return false;
      any ||= hasEnded;
    }
    return any;
  }

  /** Whether as many choices as were asked for have ended, and none goes on. @param asked how many */
  haveFinished(asked: number): boolean {
    // Counted first, because every event of a stream comes here.
    return this.ended >= asked && !this.hasGoneOn && this.haveEnded;
  }

  /** Whether a call of a tool breaks off, so that its choice cannot have ended. */
  get breakOff(): boolean {
    return this.unended().some(({ calls }) => calls.areOpen);
  }

  /**
   * Reads what a chunk adds to a choice.
   *
   * @param position in the chunk, which counts where the choice says no index
   * @throws ProviderError for a content that is not a text, or too many choices or calls
   */
  read(value: unknown, position: number): ChatChunkChoice {
    const given = objectOf(value);
    const choice = this.at(placeOf(given?.['index'], position));
    const delta = spoken(choice, given);
    if (choice.hasEnded) this.hasGoneOn ||= hasContent(delta);
    const read = this.withReasons(choice, delta, finishReasonsOf(given?.['finish_reason']));
    if (given === undefined) return read;
    const [logprobs, others] = [given['logprobs'], otherFieldsOfChoice(given)];
    // Most chunks have neither, and to spread nothing takes time, too.
    if (logprobs === undefined && others === undefined) return read;
    const { index, finish_reason, native_finish_reason } = read;
    const known = logprobs === undefined ? {} : { logprobs: logprobsOf(logprobs) };
    // Field by field: what begins with a copy takes twice as long to be written as JSON.
    return { index, delta: read.delta, finish_reason, native_finish_reason, ...known, ...others };
  }

  /** Ends the choices of a complete stream that have no reason of the provider. */
  ends(): readonly ChatChunkChoice[] {
    return this.unended().map((choice) => this.withReasons(choice, {}, ownEnd(choice.calls.areUsed)));
  }

  /** Says why a choice ended, if it did, and completes its calls of tools. */
  private withReasons(choice: StreamedChoice, said: ChatDelta, given: FinishReasons): ChatChunkChoice {
    const { index, calls, hasEnded } = choice;
    const delta = placed(choice, said, given);
    if (given.finish_reason !== null) {
      choice.hasEnded = true;
      if (!hasEnded) this.ended += 1;
    }
    const { finish_reason, native_finish_reason } = reasonsWithCalls(given, calls.areUsed);
    return { index, delta, finish_reason, native_finish_reason };
  }

  private unended(): StreamedChoice[] {
    return [...this.choices.values()].filter(({ hasSpoken, hasEnded }) => hasSpoken && !hasEnded);
  }

  private at(index: number): StreamedChoice {
    const known = this.choices.get(index);
    if (known !== undefined) return known;
    if (this.choices.size === MAXIMUM_CHOICES) {
      throw new ProviderError('invalid', `The provider’s answer has more than ${MAXIMUM_CHOICES} choices.`);
    }
    const calls = new ToolCallPlaces(this.callCount);
    const choice = { index, calls, hasSpoken: false, hasDeltas: false, hasEnded: false };
    this.choices.set(index, choice);
    return choice;
  }
}

/** Some servers send a message in place of a delta, or a text as for the operation that completes texts. */
function spoken(choice: StreamedChoice, given: JsonObject | undefined): ChatDelta {
  const change = objectOf(given?.['delta']);
  const delta = withSignatureOfText(deltaOf(change ?? (choice.hasDeltas ? {} : messageIn(given))));
  if (!choice.hasSpoken) choice.hasSpoken = hasContent(delta);
  if (!choice.hasDeltas && change !== undefined) choice.hasDeltas = hasContent(delta);
  return delta;
}

function messageIn(choice: JsonObject | undefined): JsonObject {
  return objectOf(choice?.['message']) ?? (typeof choice?.['text'] === 'string' ? { content: choice['text'] } : {});
}

function placed(choice: StreamedChoice, delta: ChatDelta, { finish_reason: reason }: FinishReasons): ChatDelta {
  if (delta.tool_calls === undefined && reason === null) return delta;
  const { calls } = choice;
  const parts = delta.tool_calls === undefined ? [] : calls.placed(delta.tool_calls);
  const missing = isOwnEnd(reason) ? calls.missingArguments() : [];
  if (parts.length + missing.length === 0) return delta;
  const signatures = signaturesInParts(parts, (place) => calls.idOf(place));
  return withDetails({ ...delta, tool_calls: [...parts, ...missing] }, signatures);
}

/** What signs the thoughts behind a text stands in the part itself. */
function withSignatureOfText(delta: ChatDelta): ChatDelta {
  return delta['extra_content'] === undefined ? delta : withDetails(delta, signatureOfText(delta));
}

function withDetails(delta: ChatDelta, details: readonly JsonObject[]): ChatDelta {
  if (details.length === 0) return delta;
  return { ...delta, reasoning_details: [...(delta.reasoning_details ?? []), ...details] };
}
