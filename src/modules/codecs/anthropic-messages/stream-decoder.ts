import { comparable, type JsonObject, objectOf, nonEmptyText, wordOf } from '../chat/json-values.js';
import { ProviderError } from '../errors/provider-error.js';
import type { ChatChunk, ChatDelta, ToolCallDelta } from '../chat/chat-completion.js';
import { newToolCallId, requireFewCalls } from '../chat/tool-call-ids.js';
import { withMessagesFields } from '../chat/messages-fields.js';
import { isOfToolSearch } from '../chat/tool-search.js';
import {
  chunkOf,
  completionOf,
  finishReasonsOf,
  countedUsageOf,
  countsAnswer,
  mergedUsage,
  serviceTierOf,
} from './answer-decoder.js';
import { encryptedReasoning, reasoningText, idOfThought } from './blocks.js';

/** What blocks that have begun and not ended may hold back together, in characters: as much as one event may have. */
const MAXIMUM_HELD_LENGTH = 8 * 1024 * 1024;

/** What a block takes besides its arguments, with its position, in characters. */
const BLOCK_SIZE = 512;

interface OpenBlock {
  readonly kind: 'tool' | 'thinking' | 'kept';
  /** Among the tool calls, or among the blocks of reasoning. */
  readonly index: number;
  /** The arguments that came with the beginning of a tool call: they count if no others come. */
  unsentInput: string | undefined;
  /** The signature that came with the beginning of a thought: it counts if no other comes. */
  unsentSignature?: string | undefined;
  /** The id of a thought of which nothing has been sent yet. */
  unsaidId?: string | undefined;
}

/** The blocks of a stream that have begun and not ended, by the position that the provider names. */
class OpenBlocks {
  private readonly blocks = new Map<number | string | undefined, OpenBlock>();
  private held = 0;

  /** The estimated bytes of the heap that they take. */
  get keptBytes(): number {
    return 2 * this.held;
  }

  /** @throws ProviderError where one is open, or the open ones hold too much */
  begin(position: unknown, block: OpenBlock): void {
    const name = nameOf(position);
    if (this.blocks.has(name)) throw new ProviderError('invalid', 'The provider began a block within another.');
    this.blocks.set(name, block);
    this.held += sizeOf(block);
    if (this.held > MAXIMUM_HELD_LENGTH) {
      throw new ProviderError('invalid', 'The provider began too many blocks without ending them.');
    }
  }

  at(position: unknown): OpenBlock | undefined {
    return this.blocks.get(nameOf(position));
  }

  /** Takes a block out. @returns undefined if none is open there */
  end(position: unknown): OpenBlock | undefined {
    const name = nameOf(position);
    const block = this.blocks.get(name);
    if (block === undefined) return undefined;
    this.blocks.delete(name);
    this.held -= sizeOf(block);
    return block;
  }

  /** Takes all blocks out, in the order in which they began. */
  endAll(): OpenBlock[] {
    const all = [...this.blocks.values()];
    this.blocks.clear();
    this.held = 0;
    return all;
  }

  /** Drops what a block's beginning had of this, because more has come. */
  forget(block: OpenBlock, field: 'unsentInput' | 'unsentSignature'): void {
    this.held -= block[field]?.length ?? 0;
    block[field] = undefined;
  }
}

/** A position is a number; it may be anything that a provider sends, and must not keep that in memory. */
function nameOf(position: unknown): number | string | undefined {
  if (typeof position === 'number') return position;
  return typeof position === 'string' ? comparable(position) : undefined;
}

function sizeOf({ unsentInput, unsentSignature }: OpenBlock): number {
  return BLOCK_SIZE + (unsentInput?.length ?? 0) + (unsentSignature?.length ?? 0);
}

const UNFINISHED = { finish_reason: null, native_finish_reason: null };

/** Reads one stream of the Messages API, event by event. */
export class EventTranslator {
  /** Whether the provider has finished the message. */
  finished = false;
  /** Whether nothing comes any more. */
  hasStopped = false;
  private upstreamId: string | null = null;
  private usage: JsonObject = {};
  /** The count that a stream begins with is that of what was written until then. */
  private isAnswerCounted = false;
  private readonly blocks = new OpenBlocks();
  private toolCalls = 0;
  private thoughts = 0;
  /** UTF-16 units of the text so far. */
  private textLength = 0;

  /** The estimated bytes of what is kept of the events so far. */
  get keptBytes(): number {
    return this.blocks.keptBytes;
  }

  /**
   * Takes the next event, which must not be an error.
   *
   * @returns what it adds to the answer; undefined if it adds nothing
   * @throws ProviderError for blocks in disorder, and for a whole message without a content
   */
  translate(event: JsonObject): ChatChunk | undefined {
    switch (event['type']) {
      case 'message_start':
        return this.begin(objectOf(event['message']) ?? {});
      case 'content_block_start':
        return this.beginBlock(event['index'], objectOf(event['content_block']) ?? {});
      case 'content_block_delta':
        return this.continueBlock(event['index'], objectOf(event['delta']) ?? {});
      case 'content_block_stop':
        return this.endBlock(event['index']);
      case 'message_delta':
        return this.end(objectOf(event['delta']) ?? {}, objectOf(event['usage']) ?? {});
      case 'message':
        return this.whole(event);
      case 'message_stop':
        this.finished = true;
        this.hasStopped = true;
        return this.calls(unsentInputsOf(this.blocks.endAll()));
      default:
        // Pings, and kinds that are not known: the form may add some at any time.
        return undefined;
    }
  }

  /** The tokens of the prompt are known from the beginning, also to who has to charge a stream that is cut. */
  private begin(message: JsonObject): ChatChunk {
    this.upstreamId = wordOf(message['id']) ?? null;
    this.usage = mergedUsage({}, objectOf(message['usage']) ?? {});
    return { ...this.chunk({ role: 'assistant', content: '' }), ...countedUsageOf(this.usage, this.isAnswerCounted) };
  }

  /** Some servers answer with a message in place of the events of one. */
  private whole(message: JsonObject): ChatChunk {
    const chunk = chunkOf(completionOf(message));
    this.finished = chunk.choices[0]?.finish_reason !== null;
    this.hasStopped = true;
    return chunk;
  }

  private beginBlock(position: unknown, block: JsonObject): ChatChunk | undefined {
    if (isOfToolSearch(block)) return this.beginKept(position, block);
    switch (block['type']) {
      case 'tool_use':
        return this.beginToolCall(position, block);
      case 'thinking':
        return this.beginThought(position, block);
      case 'redacted_thinking': {
        const id = this.placeOfThought();
        return this.chunk({
          reasoning_details: [encryptedReasoning(this.thoughts++, nonEmptyText(block['data']) ?? '', id)],
        });
      }
      default:
        return this.content(nonEmptyText(block['text']));
    }
  }

  /** Some servers begin a thought with all of it. */
  private beginThought(position: unknown, { thinking, signature }: JsonObject): ChatChunk | undefined {
    const block: OpenBlock = {
      kind: 'thinking',
      index: this.thoughts,
      unsentInput: undefined,
      unsentSignature: nonEmptyText(signature),
      unsaidId: this.placeOfThought(),
    };
    this.thoughts += 1;
    this.blocks.begin(position, block);
    return this.thought(block, nonEmptyText(thinking));
  }

  /** @returns the id of a thought that begins now; undefined for the first block of the answer */
  private placeOfThought(): string | undefined {
    return idOfThought(this.thoughts, { text: this.textLength, calls: this.toolCalls });
  }

  private beginToolCall(position: unknown, { id, name, input }: JsonObject): ChatChunk {
    const index = this.toolCalls++;
    requireFewCalls(this.toolCalls);
    this.blocks.begin(position, { kind: 'tool', index, unsentInput: JSON.stringify(input ?? {}) });
    const named = { name: nonEmptyText(name) ?? '', arguments: '' };
    return this.chunk({
      tool_calls: [{ index, id: nonEmptyText(id) ?? newToolCallId(), type: 'function', function: named }],
    });
  }

  /** A block of a search has its input later; results are whole. */
  private beginKept(position: unknown, block: JsonObject): ChatChunk {
    this.blocks.begin(position, { kind: 'kept', index: 0, unsentInput: undefined });
    return this.kept({ kept_block: block });
  }

  private kept(fields: JsonObject): ChatChunk {
    return {
      upstreamId: this.upstreamId,
      choices: [withMessagesFields({ index: 0, delta: {}, ...UNFINISHED }, fields)],
    };
  }

  private continueBlock(position: unknown, delta: JsonObject): ChatChunk | undefined {
    const block = this.blocks.at(position);
    switch (delta['type']) {
      case 'text_delta':
        return this.content(nonEmptyText(delta['text']));
      case 'thinking_delta':
        return this.thought(block, nonEmptyText(delta['thinking']));
      case 'signature_delta':
        return this.signature(block, nonEmptyText(delta['signature']));
      case 'input_json_delta':
        return this.input(block, nonEmptyText(delta['partial_json']));
      default:
        return undefined;
    }
  }

  private endBlock(position: unknown): ChatChunk | undefined {
    const open = this.blocks.at(position);
    // Written before the block ends, whose size is that of what it holds.
    const signed = this.signature(open, open?.unsentSignature);
    const block = this.blocks.end(position);
    return signed ?? (block === undefined ? undefined : this.calls(unsentInputsOf([block])));
  }

  /** The counts are totals; those that are left out here stay as they were at the beginning. */
  private end(delta: JsonObject, usage: JsonObject): ChatChunk {
    this.usage = mergedUsage(this.usage, usage);
    this.isAnswerCounted ||= countsAnswer(usage);
    const reasons = finishReasonsOf(delta, this.toolCalls > 0);
    this.finished ||= reasons.finish_reason !== null;
    const tier = serviceTierOf(this.usage);
    const unsent = reasons.finish_reason === null ? [] : unsentInputsOf(this.blocks.endAll());
    const last = unsent.length === 0 ? {} : { tool_calls: unsent };
    return {
      upstreamId: this.upstreamId,
      choices: reasons.finish_reason === null ? [] : [{ index: 0, delta: last, ...reasons }],
      ...countedUsageOf(this.usage, this.isAnswerCounted),
      ...(tier === null ? {} : { serviceTier: tier }),
    };
  }

  private content(text: string | undefined): ChatChunk | undefined {
    if (text === undefined) return undefined;
    this.textLength += text.length;
    return this.chunk({ content: text });
  }

  private thought(block: OpenBlock | undefined, text: string | undefined): ChatChunk | undefined {
    if (block?.kind !== 'thinking' || text === undefined) return undefined;
    return this.chunk({ reasoning: text, reasoning_details: [pieceOf(block, { text })] });
  }

  private signature(block: OpenBlock | undefined, signature: string | undefined): ChatChunk | undefined {
    if (block?.kind !== 'thinking' || signature === undefined) return undefined;
    this.blocks.forget(block, 'unsentSignature');
    return this.chunk({ reasoning_details: [pieceOf(block, { signature })] });
  }

  private input(block: OpenBlock | undefined, text: string | undefined): ChatChunk | undefined {
    if (block?.kind === 'kept' && text !== undefined) return this.kept({ kept_input: text });
    if (block?.kind !== 'tool' || text === undefined) return undefined;
    this.blocks.forget(block, 'unsentInput');
    return this.calls([{ index: block.index, function: { arguments: text } }]);
  }

  private calls(deltas: readonly ToolCallDelta[]): ChatChunk | undefined {
    return deltas.length === 0 ? undefined : this.chunk({ tool_calls: deltas });
  }

  private chunk(delta: ChatDelta): ChatChunk {
    return { upstreamId: this.upstreamId, choices: [{ index: 0, delta, ...UNFINISHED }] };
  }
}

/** A piece of a thought. Only the first has the id, because clients may put the texts of pieces together. */
function pieceOf(block: OpenBlock, fields: { readonly text?: string; readonly signature?: string }): JsonObject {
  const id = block.unsaidId;
  block.unsaidId = undefined;
  return reasoningText(block.index, { ...(id !== undefined && { id }), ...fields });
}

/** The arguments of calls to which nothing was added since they began. */
function unsentInputsOf(blocks: readonly OpenBlock[]): ToolCallDelta[] {
  return blocks.flatMap(({ index, unsentInput }) =>
    unsentInput === undefined ? [] : [{ index, function: { arguments: unsentInput } }],
  );
}
