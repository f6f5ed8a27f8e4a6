import type { ErrorEnvelope } from '../../../http/errors/error-envelope.js';
import {
  type AnswerOrigin,
  type AnswerEncoder,
  type StreamEncoder,
  DONE,
  type StreamEvent,
  type AnswerUsage,
} from '../client-codec.js';
import { brokenAnswerErrorOf, isOwnFault, shownWordsOf } from '../errors/shown-error.js';
import type { ChatChoice, ChatChunk, ChatChunkChoice, ChatCompletion } from '../chat/chat-completion.js';

/** The words of OpenAI's interface for kinds of errors, by status. */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  408: 'timeout_error',
  429: 'rate_limit_error',
};

/** What is wrong with the model that a request names: an issue has no reason of its own. */
const OF_MODEL: ReadonlySet<unknown> = new Set(['model_missing', 'model_not_found', 'wrong_endpoint']);

/** What clients of OpenAI's interface read of an error, besides its status and message (docs/interface/inference.md#errors-of-openai). */
interface ChatErrorFields {
  readonly type: string;
  /** The field that is wrong; null where it is none, or none is known. */
  readonly param: string | null;
}

/** The fields of an error of a status. @param metadata `error.metadata` */
function chatErrorFieldsOf(
  status: number,
  { issues, reason }: Readonly<Record<string, unknown>> = {},
): ChatErrorFields {
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
  const [first] = Array.isArray(issues) ? (issues as readonly { readonly path: string }[]) : [];
  const ofModel = OF_MODEL.has(reason) ? 'model' : null;
  return { type, param: first === undefined || first.path === '' ? ofModel : first.path };
}

/** The body of a failure as clients of OpenAI's interface read it, which has all that the common one has. */
export function chatErrorEnvelope<Envelope extends ErrorEnvelope>(envelope: Envelope): Envelope {
  const { error } = envelope;
  return { ...envelope, error: { ...error, ...chatErrorFieldsOf(error.code, error.metadata) } };
}

interface AnswerHead {
  readonly id: string;
  readonly object: 'chat.completion' | 'chat.completion.chunk' | 'text_completion';
  /** The time in seconds since 1970. */
  readonly created: number;
  readonly model: string;
  readonly provider: string;
}

/** The fields with which an answer, and every chunk of one, begins: the provider's own id and name of the model are in none. */
export function answerHead({ id, created, model, provider }: AnswerOrigin, object: AnswerHead['object']): AnswerHead {
  return { id, object, created, model, provider };
}

/** What the choice of a chunk has said when the stream broke off. */
interface BrokenChoice {
  readonly delta?: { readonly content: '' };
  readonly text?: '';
  readonly logprobs?: null;
}

/**
 * The chunk that ends a stream which cannot be completed. What went wrong within the provider, or the gateway, it does not say.
 *
 * @param origin what was asked, and who answers
 * @param head the fields with which every chunk begins
 * @param choice the part of a choice that says nothing, in the form of the stream
 * @param error whatever the stream broke off with
 */
export function errorChunk(origin: AnswerOrigin, head: object, choice: BrokenChoice, error: unknown): object {
  const { status, message } = brokenAnswerErrorOf(error);
  return {
    // Some clients look for an error at the beginning of the text alone.
    error: { code: status, message, ...chatErrorFieldsOf(status), metadata: shownWordsOf(error) },
    ...head,
    choices: [{ index: 0, ...choice, finish_reason: 'error', native_finish_reason: null }],
    ...(!isOwnFault(error) && origin.routing()),
  };
}

/** The form of `POST /chat/completions` (docs/interface/inference.md#streams). */
export const CHAT_ENCODER: AnswerEncoder = {
  whole(origin: AnswerOrigin, completion: ChatCompletion, usage: AnswerUsage): object {
    const { choices, serviceTier, systemFingerprint, promptFilterResults } = completion;
    const { id, object, created, model, provider } = answerHead(origin, 'chat.completion');
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
      prompt_filter_results: promptFilterResults,
      usage,
      ...origin.routing(),
    };
  },

  stream(origin: AnswerOrigin): StreamEncoder {
    return new StreamedChat(origin);
  },
};

/**
 * A choice with the fields that are null where there is nothing to say: typed clients require them. Fields are assigned to copies, because
 * literals do not begin with a spread (bench/README.md#start-up-memory-size).
 */
function withEveryField({ message, ...choice }: ChatChoice): object {
  const complete = Object.assign({}, message, { refusal: message.refusal ?? null });
  return Object.assign(choice, { message: complete, logprobs: choice.logprobs ?? null });
}

class StreamedChat implements StreamEncoder {
  private readonly head: object;
  /** The JSON of a chunk up to its choices, which is the same for all. */
  private readonly beginning: string;
  /** The indexes of the choices that have had their role. */
  private readonly begun = new Set<number>();
  /** The most recent of these, checked first because nearly all chunks belong to it. */
  private lastBegun: number | undefined;
  private fingerprint: string | undefined;
  /** Annotations of the prompt that no chunk has had yet: they wait for one with a choice, without which some clients fail. */
  private promptFilterResults: unknown;

  constructor(private readonly origin: AnswerOrigin) {
    this.head = answerHead(origin, 'chat.completion.chunk');
    this.beginning = `${JSON.stringify(this.head).slice(0, -1)},"choices":`;
  }

  echo(body: object): readonly StreamEvent[] {
    return [{ data: { ...this.head, choices: [], debug: { echo_upstream_body: body } } }];
  }

  chunk({ choices, systemFingerprint, promptFilterResults }: ChatChunk): readonly StreamEvent[] {
    this.fingerprint ??= systemFingerprint ?? undefined;
    this.promptFilterResults = promptFilterResults ?? this.promptFilterResults;
    if (choices.length === 0) return [];
    const shown = this.haveBegun(choices) ? choices : choices.map((choice) => this.withRole(choice));
    return [{ data: `${this.beginning}${JSON.stringify(shown)}${this.takePromptResults()}}` }];
  }

  private takePromptResults(): string {
    const results = this.promptFilterResults;
    if (results === undefined) return '';
    this.promptFilterResults = undefined;
    return `,"prompt_filter_results":${JSON.stringify(results)}`;
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
