import { isText, listOf } from '../chat/json-values.js';
import { isObject } from '../../../http/validation/constraints.js';
import { ToolArgumentsReader } from '../chat/tool-arguments-reader.js';
import type {
  AssistantMessage,
  ChatDelta,
  ToolCallDelta,
  ChatChunk,
  FinishReason,
  ChatCompletion,
} from '../chat/chat-completion.js';
import {
  CallItem,
  CustomCallItem,
  FunctionCallItem,
  ImageItem,
  imageResultOf,
  MessageItem,
  ReasoningItem,
  SearchCallItem,
  type EmitEvent,
  type ItemPlace,
  type ItemStatus,
  type OutputItem,
  type ResponseEvent,
} from './output-items.js';
import { foundToolsOf, type ResponsesRequest } from './client-request.js';
import { type CalledTools, offeredToolsOf } from './tools.js';
import {
  type ResponseEnd,
  type EndedResponse,
  responseDocument,
  type ResponseOrigin,
  endOf,
  failedEnd,
  saidParts,
} from './answer-encoder.js';
import type {
  AnswerOrigin,
  StreamEncoder,
  AnswerEncoder,
  RefusedRequest,
  StreamEvent,
  AnswerUsage,
} from '../client-codec.js';
import { parsableWeight } from '../chat/document-extent.js';
import { ProviderError } from '../errors/provider-error.js';
import { deliveredBytes } from '../chat/delivered-bytes.js';
import { brokenAnswerErrorOf, isOwnFault, shownWordsOf } from '../errors/shown-error.js';
import { CONTEXT_LENGTH_EXCEEDED } from '../../../http/errors/error-type.js';

/** How the ids of items begin. */
const PREFIXES = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
  tool_search_call: 'tsc',
  image_generation_call: 'ig',
} as const;

/** An item, and whether it can be added to. */
interface WrittenItem {
  readonly item: OutputItem;
  readonly place: ItemPlace;
  /** The finished item; undefined while it is open. */
  shown?: object;
  /** Whether it was announced as done. */
  isAnnounced: boolean;
}

interface OutputOptions {
  /** Of the generation. */
  readonly id: string;
  /** Receives an event for everything that is added. */
  readonly emit: EmitEvent;
  /** Whether the caller wants to have in one text what it has to hand back of reasoning. */
  readonly carriesReasoning: boolean;
  readonly tools: CalledTools;
}

/**
 * Writes what a model says, thinks and calls as the items of an output, piece by piece or at once. An item ends where one of
 * another kind begins, except for calls of tools: providers may send their pieces in turn, so they end with the answer. Items are
 * announced as done in their order, and those from the first thought or call on with the answer: clients keep each item that is
 * done, and ask again when an answer fails, so that they would hand back thoughts without what belongs to them.
 */
class OutputItems {
  /** What the items take besides what they say, in bytes. */
  size = 0;
  private readonly written: WrittenItem[] = [];
  /** The calls, by their index. */
  private readonly calls = new Map<number, CallItem>();
  private readonly toolArguments = new ToolArgumentsReader();
  /** Whether any of the items is bound to the rest of its answer. */
  private isAnyBound = false;

  constructor(private readonly options: OutputOptions) {}

  /** The items, in their order. */
  shown(): object[] {
    return this.written.map(({ item, shown }) => shown ?? item.shown('in_progress'));
  }

  /** Adds what one choice brings. @param logprobs the probabilities of the tokens of its text */
  add(said: ChatDelta | AssistantMessage, logprobs: unknown): void {
    this.addReasoning(said);
    const { content, refusal, annotations, images, tool_calls: calls } = said;
    if (isText(content)) this.message().addText(content, tokensOf(logprobs));
    for (const annotation of listOf(annotations)) this.message().annotate(annotation);
    if (isText(refusal)) this.message().addRefusal(refusal);
    for (const image of listOf(images)) this.addImage(image);
    for (const [index, call] of (calls ?? []).entries()) this.addCall({ index, ...call });
  }

  /**
   * Ends every item that is open. Incomplete calls, and all calls of a failed answer, are not announced as done: clients would execute them,
   * and again on retry. Nor are thoughts of a failed answer, and what it has behind a thought or a call.
   */
  end(status: ResponseEnd['status']): void {
    let isLost = false;
    for (const written of this.written) {
      const { item } = written;
      const isCall = item instanceof CallItem;
      const isWhole = status === 'completed' || (isCall && status === 'incomplete' && item.isWhole(this.toolArguments));
      isLost ||= status === 'failed' && !written.isAnnounced && isBoundToAnswer(item);
      if (isCall && !isWhole) written.shown = item.shown('incomplete');
      else this.finish(written, isWhole ? 'completed' : 'incomplete');
      if (!isLost && (isWhole || !isCall)) this.announce(written);
    }
  }

  /** Adds reasoning. If details and text repeat each other, the details are used. */
  private addReasoning({ reasoning, reasoning_details: given }: ChatDelta | AssistantMessage): void {
    const details = listOf(given).filter(isObject);
    for (const detail of details) {
      const open = this.open(ReasoningItem);
      (open?.takes(detail) === true ? open : this.beginReasoning()).addDetail(detail);
    }
    const isSaid = details.some(({ text, summary }) => isText(text) || isText(summary));
    if (isText(reasoning) && !isSaid) (this.open(ReasoningItem) ?? this.beginReasoning()).addText(reasoning);
  }

  private addCall(call: ToolCallDelta): void {
    const known = this.calls.get(call.index);
    const item = known ?? this.beginCall(call);
    this.calls.set(call.index, item);
    item.add(call);
  }

  private beginCall(call: ToolCallDelta): CallItem {
    const { toolArguments, options } = this;
    const { tools } = options;
    const called = tools.get(call.function?.name ?? '');
    if (called?.tool.type === 'tool_search') {
      return this.begin('tool_search_call', (place) => new SearchCallItem(place, call, toolArguments));
    }
    return called?.tool.type === 'custom'
      ? this.begin('custom_tool_call', (place) => new CustomCallItem(place, call, called, toolArguments))
      : this.begin('function_call', (place) => new FunctionCallItem(place, call, tools));
  }

  private addImage(image: unknown): void {
    const result = imageResultOf(image);
    if (result !== undefined) this.begin('image_generation_call', (place) => new ImageItem(place, result));
  }

  private message(): MessageItem {
    return this.open(MessageItem) ?? this.begin('message', (place) => new MessageItem(place));
  }

  private beginReasoning(): ReasoningItem {
    const { carriesReasoning } = this.options;
    return this.begin('reasoning', (place) => new ReasoningItem(place, carriesReasoning));
  }

  /** The last item, if it is open and of this kind. */
  private open<Item extends OutputItem>(kind: new (...parts: never[]) => Item): Item | undefined {
    const last = this.written.at(-1);
    return last?.shown === undefined && last?.item instanceof kind ? last.item : undefined;
  }

  private begin<Item extends OutputItem>(kind: keyof typeof PREFIXES, make: (place: ItemPlace) => Item): Item {
    const last = this.written.at(-1);
    if (last !== undefined && !(last.item instanceof CallItem)) {
      this.finish(last, 'completed');
      if (!this.isAnyBound) this.announce(last);
    }
    const { id, emit } = this.options;
    const index = this.written.length;
    const place = { id: `${PREFIXES[kind]}_${id}_${index}`, index, emit };
    const item = make(place);
    this.written.push({ item, place, isAnnounced: false });
    this.size += item instanceof CallItem ? CALL_SIZE : ITEM_SIZE;
    this.isAnyBound ||= isBoundToAnswer(item);
    emit({ type: 'response.output_item.added', output_index: index, item: item.shown('in_progress') });
    return item;
  }

  private finish(written: WrittenItem, status: ItemStatus): void {
    if (written.shown !== undefined) return;
    written.item.close();
    written.shown = written.item.shown(status);
  }

  private announce(written: WrittenItem): void {
    const { place, shown, isAnnounced } = written;
    if (isAnnounced) return;
    written.isAnnounced = true;
    place.emit({ type: 'response.output_item.done', output_index: place.index, item: shown });
  }
}

/** Whether an item means nothing without the rest of its answer: a call that would be made again, or a thought that belongs to one. */
function isBoundToAnswer(item: OutputItem): boolean {
  return item instanceof CallItem || item instanceof ReasoningItem;
}

/** The probabilities of tokens, as chat completions have them. */
function tokensOf(logprobs: unknown): readonly unknown[] {
  return isObject(logprobs) ? listOf(logprobs.content) : [];
}

/** The value of `include` with which a client asks for reasoning that it can send back without its other fields. */
const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

/** Finds the tools of a request, with those that searches have found; of a preset none, because those that it can have are called by their own names. */
function calledToolsOf({ tools, input }: ResponsesRequest): CalledTools {
  return new Map(offeredToolsOf(tools, foundToolsOf(input)).map((tool) => [tool.offeredName, tool]));
}

/** The output of an answer: empty at first; the ids of its items derive from the id of the answer. */
function outputItemsFor(
  request: ResponsesRequest,
  { id: generationId }: Pick<AnswerOrigin, 'id'>,
  emit: EmitEvent,
): OutputItems {
  const id = generationId.replace(/^gen-/, '');
  return new OutputItems({
    id,
    emit,
    carriesReasoning: request.include?.includes(ENCRYPTED_REASONING) === true,
    tools: calledToolsOf(request),
  });
}

/** The largest answer that is streamed, in bytes: its last events repeat all of it, so that it is kept until then. */
const MAXIMUM_ANSWER_BYTES = 16 * 1024 * 1024;

/** How often what is kept is in memory when the last events are written: in the pieces that came, and put together. */
const TIMES_AT_THE_END = 2;

/** What a piece of a text takes besides its characters while the text is put together, in bytes of the heap. */
const PIECE_SIZE = 64;

/** What a call, and any other item, takes besides what it says, in bytes: there are few calls, and all items are written again at the end. */
const [CALL_SIZE, ITEM_SIZE] = [512, 2_048];

/** Writes one stream in the form of the Responses interface (docs/interface/responses.md#streams). */
class StreamedResponse implements StreamEncoder {
  private readonly items: OutputItems;
  private events: StreamEvent[] = [];
  private sequenceNumber = 0;
  private size = 0;
  /** The estimated bytes of the heap of what is kept besides its characters. */
  private pieceBytes = 0;
  private finishReason: FinishReason | null = null;

  constructor(
    private readonly request: ResponsesRequest,
    private readonly origin: ResponseOrigin,
  ) {
    this.items = outputItemsFor(request, origin, (event) => this.emit(event));
  }

  /** In bytes: what is kept is joined at the end and written in parts, so that it is there several times. */
  get keptBytes(): number {
    return TIMES_AT_THE_END * this.size + this.pieceBytes + this.items.size;
  }

  /** Behind the first events, because clients take none before them. */
  echo(body: object): readonly StreamEvent[] {
    this.begin();
    this.emit({ type: 'response.debug', debug: { echo_upstream_body: body } });
    return this.taken();
  }

  /** @throws ProviderError for an answer that is too large */
  chunk({ choices }: ChatChunk): readonly StreamEvent[] {
    this.begin();
    for (const { index, delta, finish_reason: reason, logprobs } of choices) {
      if (index !== 0) continue;
      this.items.add(delta, logprobs);
      const kept = keptJsonOf(delta, logprobs);
      this.pieceBytes += PIECE_SIZE + (kept === '' ? 0 : (parsableWeight(kept) ?? 0));
      this.count(deliveredBytes(delta) + kept.length);
      this.finishReason = reason ?? this.finishReason;
    }
    return this.taken();
  }

  end(usage: AnswerUsage, serviceTier: string | null): readonly StreamEvent[] {
    return this.finish({ end: endOf(this.finishReason), usage, serviceTier, routing: this.origin.routing() });
  }

  failure(error: unknown): readonly StreamEvent[] {
    const end = failedEnd(brokenAnswerErrorOf(error), shownWordsOf(error));
    return this.finish({ end, serviceTier: null, routing: isOwnFault(error) ? {} : this.origin.routing() });
  }

  private begin(): void {
    if (this.sequenceNumber > 0) return;
    const response = this.document();
    this.emit({ type: 'response.created', response });
    this.emit({ type: 'response.in_progress', response });
  }

  private finish(ended: EndedResponse): readonly StreamEvent[] {
    this.begin();
    this.items.end(ended.end.status);
    const { status, error } = ended.end;
    // Also beside the response, in which some clients do not look for it.
    this.emit({ type: `response.${status}`, ...(error && { error }), response: this.document(ended) });
    return this.taken();
  }

  private document(ended?: EndedResponse): object {
    return responseDocument(this.request, this.origin, this.items.shown(), ended);
  }

  private count(bytes: number): void {
    this.size += bytes;
    if (this.size + this.items.size > MAXIMUM_ANSWER_BYTES)
      throw new ProviderError('invalid', 'The provider sent an answer of more than 16 MiB.');
  }

  private emit({ type, error, ...fields }: ResponseEvent): void {
    const data = { type, sequence_number: this.sequenceNumber++, ...fields };
    this.events.push({ event: type, data: error === undefined ? data : { error, ...data } });
  }

  private taken(): readonly StreamEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }
}

/** What is kept of a chunk besides texts and calls, as JSON. */
function keptJsonOf(delta: ChatDelta, logprobs: unknown): string {
  const { annotations, images, reasoning_details: details } = delta;
  const kept = [logprobs, annotations, images, details].filter((value) => value !== undefined && value !== null);
  return kept.length === 0 ? '' : JSON.stringify(kept);
}

/** The form in which one request of the Responses interface is answered (docs/interface/responses.md#answers). */
export function responsesEncoder(request: ResponsesRequest): AnswerEncoder {
  return {
    whole: (origin, completion, usage) => wholeResponse(request, origin, completion, usage),
    stream: (origin) => new StreamedResponse(request, origin),
    refusedStream: (refused) => refusedStream(request, refused),
  };
}

/**
 * Coding agents know that their context is full by the code of a failed response only, and take a status for a fault of their own.
 * Other refusals they know by their status.
 */
function refusedStream(request: ResponsesRequest, refused: RefusedRequest): readonly StreamEvent[] | undefined {
  const { error, body } = refused;
  if (error.metadata['error_type'] !== CONTEXT_LENGTH_EXCEEDED) return undefined;
  const model = body.model ?? body.models?.[0] ?? '';
  // Filters may not have seen the instructions yet.
  return new StreamedResponse({ ...request, instructions: null }, { ...refused, model }).failure(error);
}

/** The answer is only the first of several choices. */
function wholeResponse(
  request: ResponsesRequest,
  origin: AnswerOrigin,
  { choices: [choice], serviceTier }: ChatCompletion,
  usage: AnswerUsage,
): object {
  const end = endOf(choice?.finish_reason ?? null);
  const items = outputItemsFor(request, origin, () => undefined);
  if (choice !== undefined) for (const part of saidParts(choice)) items.add(part, choice.logprobs);
  items.end(end.status);
  return responseDocument(request, origin, items.shown(), {
    end,
    usage,
    serviceTier,
    routing: origin.routing(),
  });
}
