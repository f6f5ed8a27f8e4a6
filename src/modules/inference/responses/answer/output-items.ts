import { isObject } from '../../../../api/validation/constraints.js';
import { ToolArgumentsReader } from '../../../providers/tool-arguments-reader.js';
import type { AssistantMessage, ChatDelta, ToolCallDelta } from '../../../providers/chat-completion.js';
import { CallItem } from './call-item.js';
import type { CalledTools } from './called-tools.js';
import { CustomCallItem } from './custom-call-item.js';
import { FunctionCallItem } from './function-call-item.js';
import { ImageItem, imageResultOf } from './image-item.js';
import { MessageItem } from './message-item.js';
import { ReasoningItem } from './reasoning-item.js';
import { SearchCallItem } from './search-call-item.js';
import type { ResponseEnd } from './response-end.js';
import type { EmitEvent, ItemPlace, ItemStatus, OutputItem } from './response-event.js';

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

/** What items are made with. */
interface OutputOptions {
  /** Of the generation. */
  readonly id: string;
  /** Receives an event for everything that is added. */
  readonly emit: EmitEvent;
  /** Whether the caller wants to have in one text what it has to hand back of reasoning. */
  readonly carriesReasoning: boolean;
  /** The tools of the request. */
  readonly tools: CalledTools;
}

/**
 * Writes what a model says, thinks and calls as the items of an output, piece by piece or at once. An item ends where one of
 * another kind begins, except for calls of tools: providers may send their pieces in turn, so they end with the answer. Items are
 * announced as done in their order, and those from the first thought or call on with the answer: clients keep each item that is
 * done, and ask again when an answer fails, so that they would hand back thoughts without what belongs to them.
 */
export class OutputItems {
  private readonly written: WrittenItem[] = [];
  /** The calls, by their index. */
  private readonly calls = new Map<number, CallItem>();
  private readonly toolArguments = new ToolArgumentsReader();

  constructor(private readonly options: OutputOptions) {}

  /** How many items there are. */
  get count(): number {
    return this.written.length;
  }

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
      if (!this.written.some(({ item }) => isBoundToAnswer(item))) this.announce(last);
    }
    const { id, emit } = this.options;
    const index = this.written.length;
    const place = { id: `${PREFIXES[kind]}_${id}_${index}`, index, emit };
    const item = make(place);
    this.written.push({ item, place, isAnnounced: false });
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

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
