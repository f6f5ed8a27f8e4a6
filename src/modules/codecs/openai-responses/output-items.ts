import { isObject } from '../../../http/validation/constraints.js';
import { haveOpaqueState, KeptDetails, type ReasoningDetail, textOfDetails } from '../chat/carried-reasoning.js';
import { isText } from '../chat/json-values.js';
import type { ToolArgumentsReader } from '../chat/tool-arguments-reader.js';
import type { ToolCallDelta } from '../chat/chat-completion.js';
import { type CalledTools, encryptedParametersOf, type OfferedTool } from './tools.js';

/** An event of a stream of the Responses interface, but for its number (docs/interface/responses.md#streams). */
export interface ResponseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Takes the events of a stream in their order. */
export type EmitEvent = (event: ResponseEvent) => void;

/** Whether an item is being written, is whole, or has been cut. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** The place of an item in an answer, and the receiver of its events. */
export interface ItemPlace {
  /** Of the item. */
  readonly id: string;
  /** The index in the output, from 0. */
  readonly index: number;
  readonly emit: EmitEvent;
}

/** An item of the output of an answer, while it is being written. */
export interface OutputItem {
  /** The item as it is so far. */
  shown(status: ItemStatus): object;
  /** Ends the item: nothing is added after this. */
  close(): void;
}

/** Writes an annotation of a chat completion, which has its fields in an object of their own. Other kinds are undefined. */
function annotationOf(annotation: unknown): object | undefined {
  if (!isObject(annotation) || annotation.type !== 'url_citation' || !isObject(annotation.url_citation))
    return undefined;
  const { url, title, start_index: start, end_index: end, content } = annotation.url_citation;
  if (typeof url !== 'string') return undefined;
  return {
    type: 'url_citation',
    url,
    title: typeof title === 'string' ? title : '',
    start_index: typeof start === 'number' ? start : 0,
    end_index: typeof end === 'number' ? end : 0,
    ...(typeof content === 'string' && { content }),
  };
}

/** A part of a message of the model: what it says, or why it refuses. */
interface MessagePart {
  shown(): object;
  close(): void;
}

/** What a model says. */
class OutputTextPart implements MessagePart {
  private text = '';
  private readonly logprobs: unknown[] = [];
  private readonly annotations: object[] = [];

  /** @param contentIndex among the parts of the message, from 0 */
  constructor(
    private readonly place: ItemPlace,
    private readonly contentIndex: number,
  ) {}

  add(delta: string, logprobs: readonly unknown[]): void {
    this.text += delta;
    // Not spread: a provider may send very many at once.
    for (const logprob of logprobs) this.logprobs.push(logprob);
    this.emit('response.output_text.delta', { delta, logprobs });
  }

  annotate(given: unknown): void {
    const annotation = annotationOf(given);
    if (annotation === undefined) return;
    this.emit('response.output_text.annotation.added', { annotation, annotation_index: this.annotations.length });
    this.annotations.push(annotation);
  }

  shown(): object {
    const { text, annotations, logprobs } = this;
    return { type: 'output_text', text, annotations: [...annotations], logprobs: [...logprobs] };
  }

  close(): void {
    this.emit('response.output_text.done', { text: this.text, logprobs: [...this.logprobs] });
  }

  private emit(type: string, fields: object): void {
    const { id, index, emit } = this.place;
    emit({ type, item_id: id, output_index: index, content_index: this.contentIndex, ...fields });
  }
}

/** Why a model refuses to answer. */
class RefusalPart implements MessagePart {
  private refusal = '';

  /** @param contentIndex among the parts of the message, from 0 */
  constructor(
    private readonly place: ItemPlace,
    private readonly contentIndex: number,
  ) {}

  add(delta: string): void {
    this.refusal += delta;
    this.emit('response.refusal.delta', { delta });
  }

  shown(): object {
    return { type: 'refusal', refusal: this.refusal };
  }

  close(): void {
    this.emit('response.refusal.done', { refusal: this.refusal });
  }

  private emit(type: string, fields: object): void {
    const { id, index, emit } = this.place;
    emit({ type, item_id: id, output_index: index, content_index: this.contentIndex, ...fields });
  }
}

/** A message of the model. */
export class MessageItem implements OutputItem {
  private readonly parts: MessagePart[] = [];

  constructor(private readonly place: ItemPlace) {}

  addText(delta: string, logprobs: readonly unknown[]): void {
    this.textPart().add(delta, logprobs);
  }

  annotate(annotation: unknown): void {
    this.textPart().annotate(annotation);
  }

  addRefusal(delta: string): void {
    const open = this.parts.at(-1);
    const part = open instanceof RefusalPart ? open : this.begin(new RefusalPart(this.place, this.parts.length));
    part.add(delta);
  }

  shown(status: ItemStatus): object {
    const content = this.parts.map((part) => part.shown());
    return { id: this.place.id, type: 'message', status, role: 'assistant', content };
  }

  close(): void {
    const open = this.parts.at(-1);
    if (open === undefined) return;
    open.close();
    this.emit('response.content_part.done', open, this.parts.length - 1);
  }

  private textPart(): OutputTextPart {
    const open = this.parts.at(-1);
    return open instanceof OutputTextPart ? open : this.begin(new OutputTextPart(this.place, this.parts.length));
  }

  private begin<Part extends MessagePart>(part: Part): Part {
    this.close();
    this.emit('response.content_part.added', part, this.parts.length);
    this.parts.push(part);
    return part;
  }

  private emit(type: string, part: MessagePart, contentIndex: number): void {
    const { id, index, emit } = this.place;
    emit({ type, item_id: id, output_index: index, content_index: contentIndex, part: part.shown() });
  }
}

/** What a model thinks: one block of it. */
export class ReasoningItem implements OutputItem {
  private text = '';
  private summary = '';
  private readonly kept = new KeptDetails();

  /** @param isCarriedWhole whether the caller wants to have in one text what it has to hand back */
  constructor(
    private readonly place: ItemPlace,
    private readonly isCarriedWhole: boolean,
  ) {}

  /** Whether a detail belongs to the same block: it has the same index, and no signature has ended the block. */
  takes({ type, index }: ReasoningDetail): boolean {
    const last = this.kept.all.at(-1);
    if (last === undefined) return true;
    return last['index'] === index && !(type === 'reasoning.text' && typeof last['signature'] === 'string');
  }

  /** Adds to a text without details. */
  addText(delta: string): void {
    if (this.text === '') this.emit('response.content_part.added', { content_index: 0, part: reasoningText('') });
    this.text += delta;
    this.emit('response.reasoning_text.delta', { content_index: 0, delta });
  }

  addDetail(detail: ReasoningDetail): void {
    const { text, summary } = detail;
    if (isText(text)) this.addText(text);
    if (isText(summary)) this.addSummary(summary);
    this.kept.add(detail);
  }

  shown(status: ItemStatus): object {
    const { text, summary, kept } = this;
    const details = kept.all;
    const encrypted = this.encryptedContent();
    const format = details.find((detail) => isText(detail['format']))?.['format'];
    const signature = details.find((detail) => isText(detail['signature']))?.['signature'];
    return {
      id: this.place.id,
      type: 'reasoning',
      status,
      summary: summary === '' ? [] : [summaryText(summary)],
      ...(text !== '' && { content: [reasoningText(text)] }),
      ...(format !== undefined && { format }),
      ...(signature !== undefined && { signature }),
      ...(encrypted !== undefined && { encrypted_content: encrypted }),
    };
  }

  close(): void {
    const { text, summary } = this;
    if (summary !== '') {
      this.emit('response.reasoning_summary_text.done', { summary_index: 0, text: summary });
      this.emit('response.reasoning_summary_part.done', { summary_index: 0, part: summaryText(summary) });
    }
    if (text !== '') {
      this.emit('response.reasoning_text.done', { content_index: 0, text });
      this.emit('response.content_part.done', { content_index: 0, part: reasoningText(text) });
    }
  }

  private addSummary(delta: string): void {
    if (this.summary === '') {
      this.emit('response.reasoning_summary_part.added', { summary_index: 0, part: summaryText('') });
    }
    this.summary += delta;
    this.emit('response.reasoning_summary_text.delta', { summary_index: 0, delta });
  }

  /**
   * What has to be handed back, as one text: details that only the provider can read, and if the caller asks for it signed details
   * and plain text too.
   */
  private encryptedContent(): string | undefined {
    const { kept, isCarriedWhole, text } = this;
    if (kept.all.some(({ type }) => type === 'reasoning.encrypted')) return kept.carried;
    if (!isCarriedWhole) return undefined;
    if (haveOpaqueState(kept.all)) return kept.carried;
    return text === '' ? undefined : textOfDetails([{ type: 'reasoning.text', text }]);
  }

  private emit(type: string, fields: object): void {
    const { id, index, emit } = this.place;
    emit({ type, item_id: id, output_index: index, ...fields });
  }
}

function reasoningText(text: string): object {
  return { type: 'reasoning_text', text };
}

function summaryText(text: string): object {
  return { type: 'summary_text', text };
}

/** A call of a tool. */
export abstract class CallItem implements OutputItem {
  protected readonly callId: string;
  /** The arguments that the model has written so far. */
  protected arguments = '';

  /** Begins a call; one without an id of the provider gets one. */
  constructor(
    protected readonly place: ItemPlace,
    { id }: ToolCallDelta,
  ) {
    this.callId = id === undefined || id === '' ? `call_${place.id}` : id;
  }

  add({ function: called }: ToolCallDelta): void {
    this.arguments += called?.arguments ?? '';
  }

  /**
   * Whether nothing is missing in the arguments, although the answer may have been cut.
   *
   * @param toolArguments parses the arguments of all calls of the answer
   */
  isWhole(toolArguments: ToolArgumentsReader): boolean {
    return toolArguments.parse(this.arguments) !== undefined;
  }

  abstract shown(status: ItemStatus): object;

  abstract close(): void;
}

/**
 * A tool that the model calls with a text. The model writes the text into the arguments of a function, as JSON, so that it is
 * only known, and only sent, when the call is whole.
 */
export class CustomCallItem extends CallItem {
  /** The input; empty until the call is complete. */
  private input = '';

  /** Begins with what is known of a call. @param toolArguments reads the arguments of all calls of the answer */
  constructor(
    place: ItemPlace,
    call: ToolCallDelta,
    private readonly called: OfferedTool,
    private readonly toolArguments: ToolArgumentsReader,
  ) {
    super(place, call);
  }

  shown(status: ItemStatus): object {
    const { callId, called, input } = this;
    const { namespace, tool } = called;
    return {
      id: this.place.id,
      type: 'custom_tool_call',
      status,
      call_id: callId,
      name: tool.name,
      ...(namespace !== undefined && { namespace }),
      input,
    };
  }

  close(): void {
    const input = this.readInput();
    this.input = input;
    const { id, index, emit } = this.place;
    const shared = { item_id: id, output_index: index };
    if (input !== '') emit({ type: 'response.custom_tool_call_input.delta', ...shared, delta: input });
    emit({ type: 'response.custom_tool_call_input.done', ...shared, input });
  }

  /** Arguments that have another form, or are beyond the bounds, are the text themselves. */
  private readInput(): string {
    const value = this.toolArguments.parse(this.arguments);
    return isObject(value) && typeof value.input === 'string' ? value.input : this.arguments;
  }
}

/** A function that the model calls. */
export class FunctionCallItem extends CallItem {
  private name: string;

  /** Begins with what is known of a call. @param tools of the request */
  constructor(
    place: ItemPlace,
    call: ToolCallDelta,
    private readonly tools: CalledTools,
  ) {
    super(place, call);
    this.name = call.function?.name ?? '';
  }

  override add(call: ToolCallDelta): void {
    // A few providers send the name after the beginning.
    if (this.name === '') this.name = call.function?.name ?? '';
    const delta = call.function?.arguments ?? '';
    if (delta === '') return;
    super.add(call);
    this.emit('response.function_call_arguments.delta', { delta });
  }

  shown(status: ItemStatus): object {
    const { callId, arguments: text } = this;
    const called = this.tools.get(this.name);
    return {
      id: this.place.id,
      type: 'function_call',
      status,
      call_id: callId,
      name: called?.tool.name ?? this.name,
      ...(called?.namespace !== undefined && { namespace: called.namespace }),
      arguments: text,
      // Coding agents take them for encrypted where nothing says that they are not.
      ...(called?.tool.type === 'function' &&
        encryptedParametersOf(called.tool).length > 0 && { encrypted_function_args: [] }),
    };
  }

  close(): void {
    this.emit('response.function_call_arguments.done', {
      name: this.tools.get(this.name)?.tool.name ?? this.name,
      arguments: this.arguments,
    });
  }

  private emit(type: string, fields: object): void {
    const { id, index, emit } = this.place;
    emit({ type, item_id: id, output_index: index, ...fields });
  }
}

/** An image that the model has made. */
export class ImageItem implements OutputItem {
  /** @param result the image in base64, or where it is */
  constructor(
    private readonly place: ItemPlace,
    private readonly result: string,
  ) {}

  shown(status: ItemStatus): object {
    const isWhole = status !== 'in_progress';
    return { id: this.place.id, type: 'image_generation_call', status, result: isWhole ? this.result : null };
  }

  close(): void {
    // It has come in one piece.
  }
}

/** Reads an image of a chat completion (`images`): the data of a data URL. @returns undefined for anything else */
export function imageResultOf(image: unknown): string | undefined {
  const url = isObject(image) && isObject(image.image_url) ? image.image_url.url : undefined;
  if (typeof url !== 'string') return undefined;
  return url.startsWith('data:') ? url.slice(url.indexOf(',') + 1) : url;
}

/** A search for tools, which the caller runs. Its arguments are an object, so that they are only known when the call is whole. */
export class SearchCallItem extends CallItem {
  /** The arguments; empty until the call is complete. */
  private query: unknown = {};

  /** Begins with what is known of a call. @param toolArguments reads the arguments of all calls of the answer */
  constructor(
    place: ItemPlace,
    call: ToolCallDelta,
    private readonly toolArguments: ToolArgumentsReader,
  ) {
    super(place, call);
  }

  shown(status: ItemStatus): object {
    return {
      id: this.place.id,
      type: 'tool_search_call',
      status,
      call_id: this.callId,
      execution: 'client',
      arguments: this.query,
    };
  }

  /** Arguments that are not an object, or exceed a bound, are given to the caller as a text. */
  close(): void {
    const value = this.toolArguments.parse(this.arguments);
    // The form has no events for a search.
    this.query = isObject(value) ? value : this.arguments;
  }
}
