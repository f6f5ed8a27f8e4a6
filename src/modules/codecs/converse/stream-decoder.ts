import { chunkOf } from '../anthropic-messages/answer-decoder.js';
import { encryptedReasoning, idOfThought, reasoningText } from '../anthropic-messages/blocks.js';
import type { ChatChunk, ChatDelta, ChatRequest } from '../chat/chat-completion.js';
import { hasAnswerPart } from '../chat/chunk-content.js';
import { type JsonObject, nonEmptyText, objectOf } from '../chat/json-values.js';
import { withMessagesFields } from '../chat/messages-fields.js';
import { filtersInBedrock } from '../chat/provider-filters.js';
import { newToolCallId, requireFewCalls } from '../chat/tool-call-ids.js';
import { ProviderError } from '../errors/provider-error.js';
import { brokenOff, eventDocument, isBlank, isDone } from '../event-document.js';
import type { AnswerHead, ServerSentEvent, StreamDecoder, Upstream } from '../upstream-codec.js';
import { completionOf, finishReasonsOf, malformed, serviceTierOf, stopSequenceOf } from './answer-decoder.js';
import { requestIdOf } from './invocation.js';
import { isOfProvider } from './blocks.js';
import { answerSchemaOf } from './json-answer.js';
import { thoughtsFormatOf } from './thoughts.js';
import { countedUsageOf } from './usage.js';

/** Far more blocks than any answer has. */
const MAXIMUM_BLOCKS = 10_000;

/** The estimated bytes of what is kept of a block. */
const BLOCK_BYTES = 200;

/** A block that has begun and not ended. Texts need none. */
interface OpenBlock {
  /** `json` is a call whose input is the answer itself; `skipped` one of a tool that the provider runs. */
  readonly kind: 'call' | 'json' | 'thought' | 'skipped';
  /** Among the calls, or among the thoughts. */
  readonly index: number;
  /** Whether nothing of its input has come. */
  isEmpty: boolean;
}

const UNFINISHED = { finish_reason: null, native_finish_reason: null };

/**
 * Decodes the events of one stream of `ConverseStream`
 * (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html), whose names say what they are. Texts and
 * thoughts begin without an event for it. The usage stands behind the end of the message.
 */
export class ConverseEvents implements StreamDecoder<ChatChunk> {
  readonly hasAnswerPart = hasAnswerPart;
  private readonly blocks = new Map<number, OpenBlock>();
  private readonly jsonTool: string | undefined;
  private readonly format: string;
  private begun = 0;
  private calls = 0;
  private thoughts = 0;
  /** UTF-16 units of the text so far. */
  private textLength = 0;
  private hasEnded = false;
  private isCounted = false;
  private failure: ProviderError | undefined;
  private requestId: string | null = null;

  constructor(
    private readonly request: ChatRequest,
    private readonly upstream: Upstream,
  ) {
    this.jsonTool = answerSchemaOf(request)?.tool;
    this.format = thoughtsFormatOf(request);
  }

  get keptBytes(): number {
    return this.blocks.size * BLOCK_BYTES;
  }

  headed(head: AnswerHead): void {
    this.requestId = requestIdOf(head);
  }

  read(event: ServerSentEvent): ChatChunk | undefined {
    // What stands in front of a server that answers with a document ends it so.
    if (isDone(event) || isBlank(event)) return undefined;
    const document = eventDocument(event, this.upstream);
    switch (event.event) {
      case 'messageStart':
        return { ...this.chunk({ role: 'assistant', content: '' }), upstreamId: this.requestId };
      case 'contentBlockStart':
        return this.begin(placeOf(document), objectOf(document['start']) ?? {});
      case 'contentBlockDelta':
        return this.continue(placeOf(document), objectOf(document['delta']) ?? {});
      case 'contentBlockStop':
        return this.end(placeOf(document));
      case 'messageStop':
        return this.stop(document);
      case 'metadata':
        return this.count(document);
      case undefined:
        return this.whole(document);
      default:
        // Kinds that are not known: the form may add some at any time.
        return undefined;
    }
  }

  isLast(event: ServerSentEvent): boolean {
    return (this.hasEnded && this.isCounted) || isDone(event);
  }

  hasFinished(): boolean {
    return this.hasEnded;
  }

  ended(): void {
    // Not before the end, because the usage comes behind it.
    if (this.failure !== undefined) throw this.failure;
    if (!this.hasEnded) throw brokenOff();
  }

  private begin(place: number, { toolUse, toolResult }: JsonObject): ChatChunk | undefined {
    const unsaid = this.end(place);
    const call = objectOf(toolUse);
    if (call === undefined) {
      if (toolResult !== undefined) this.open(place, { kind: 'skipped', index: 0, isEmpty: false });
      return unsaid;
    }
    const name = nonEmptyText(call['name']) ?? '';
    if (isOfProvider(call)) this.open(place, { kind: 'skipped', index: 0, isEmpty: false });
    else if (this.jsonTool !== undefined && name === this.jsonTool) {
      this.open(place, { kind: 'json', index: 0, isEmpty: true });
    } else {
      const index = this.calls++;
      requireFewCalls(this.calls);
      this.open(place, { kind: 'call', index, isEmpty: true });
      const id = nonEmptyText(call['toolUseId']) ?? newToolCallId();
      const begun = { index, id, type: 'function' as const, function: { name, arguments: '' } };
      return this.chunk({ tool_calls: [...(unsaid?.choices[0]!.delta.tool_calls ?? []), begun] });
    }
    return unsaid;
  }

  private open(place: number, block: OpenBlock): OpenBlock {
    this.begun += 1;
    if (this.begun > MAXIMUM_BLOCKS) {
      throw new ProviderError('invalid', `The provider’s answer has more than ${MAXIMUM_BLOCKS} blocks.`);
    }
    this.blocks.set(place, block);
    return block;
  }

  private continue(place: number, { text, toolUse, reasoningContent }: JsonObject): ChatChunk | undefined {
    const block = this.blocks.get(place);
    if (block?.kind === 'skipped') return undefined;
    const input = nonEmptyText(objectOf(toolUse)?.['input']);
    if (input !== undefined) return this.input(block, input);
    const thought = objectOf(reasoningContent);
    return thought === undefined ? this.content(nonEmptyText(text)) : this.thought(place, thought);
  }

  private content(text: string | undefined): ChatChunk | undefined {
    if (text === undefined) return undefined;
    this.textLength += text.length;
    return this.chunk({ content: text });
  }

  private input(block: OpenBlock | undefined, input: string): ChatChunk | undefined {
    if (block?.kind !== 'call' && block?.kind !== 'json') return undefined;
    block.isEmpty = false;
    if (block.kind === 'json') return this.content(input);
    return this.chunk({ tool_calls: [{ index: block.index, function: { arguments: input } }] });
  }

  private thought(place: number, { text, signature, redactedContent }: JsonObject): ChatChunk | undefined {
    const redacted = nonEmptyText(redactedContent);
    if (redacted !== undefined) {
      const id = this.placeOfThought();
      return this.details({ ...encryptedReasoning(this.countThought(), redacted, id) });
    }
    const [said, signed] = [nonEmptyText(text), nonEmptyText(signature)];
    if (said === undefined && signed === undefined) return undefined;
    const open = this.blocks.get(place);
    const isNew = open?.kind !== 'thought';
    const id = isNew ? this.placeOfThought() : undefined;
    const { index } = isNew ? this.open(place, { kind: 'thought', index: this.thoughts++, isEmpty: false }) : open;
    const fields = {
      ...(id !== undefined && { id }),
      ...(said !== undefined && { text: said }),
      ...(signed !== undefined && { signature: signed }),
    };
    return this.details(reasoningText(index, fields), said);
  }

  /** Thoughts that are not shown come whole, and are not opened; there may be as many as other blocks. */
  private countThought(): number {
    this.begun += 1;
    if (this.begun > MAXIMUM_BLOCKS) throw new ProviderError('invalid', 'The provider’s answer has too many thoughts.');
    return this.thoughts++;
  }

  /** @returns the id of a thought that begins now; undefined for the first block of the answer */
  private placeOfThought(): string | undefined {
    return idOfThought(this.thoughts, { text: this.textLength, calls: this.calls });
  }

  private details(detail: JsonObject, reasoning?: string): ChatChunk {
    return this.chunk({
      ...(reasoning !== undefined && { reasoning }),
      reasoning_details: [{ ...detail, format: this.format }],
    });
  }

  /** A call to which no input has come has none. */
  private end(place: number): ChatChunk | undefined {
    const block = this.blocks.get(place);
    if (block === undefined) return undefined;
    this.blocks.delete(place);
    if (!block.isEmpty) return undefined;
    if (block.kind === 'json') return this.content('{}');
    return this.chunk({ tool_calls: [{ index: block.index, function: { arguments: '{}' } }] });
  }

  private stop(document: JsonObject): ChatChunk {
    const given = finishReasonsOf(document['stopReason'], this.calls > 0);
    const finish_reason = given.finish_reason ?? (this.calls > 0 ? 'tool_calls' : 'stop');
    const unended = [...this.blocks.keys()].flatMap((place) => this.end(place) ?? []);
    const calls = unended.flatMap(({ choices }) => choices[0]!.delta.tool_calls ?? []);
    const texts = unended.map(({ choices }) => choices[0]!.delta.content ?? '').join('');
    const delta = { ...(texts !== '' && { content: texts }), ...(calls.length > 0 && { tool_calls: calls }) };
    this.hasEnded = true;
    if (finish_reason === 'error') {
      this.failure = malformed(given.native_finish_reason);
      return this.chunk(delta);
    }
    const choice = { index: 0, delta, ...given, finish_reason };
    return { choices: [withMessagesFields(choice, { stop_sequence: stopSequenceOf(document) })] };
  }

  private count(document: JsonObject): ChatChunk {
    this.isCounted = true;
    const tier = serviceTierOf(document);
    return {
      choices: [],
      ...countedUsageOf(document['usage']),
      ...(tier !== null && { serviceTier: tier }),
      ...filtersInBedrock(document),
    };
  }

  /** Some servers answer with a document in place of a stream. */
  private whole(document: JsonObject): ChatChunk {
    const chunk = chunkOf(completionOf(document, this.request));
    this.hasEnded = true;
    return { ...chunk, upstreamId: this.requestId };
  }

  private chunk(delta: ChatDelta): ChatChunk {
    return { choices: [{ index: 0, delta, ...UNFINISHED }] };
  }
}

/** Where a block stands among all of an answer. */
function placeOf({ contentBlockIndex: place }: JsonObject): number {
  return typeof place === 'number' ? place : -1;
}
