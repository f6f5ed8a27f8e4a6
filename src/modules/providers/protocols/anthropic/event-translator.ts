import type { ChatChunk, ChatDelta, ToolCallDelta } from '../../chat-completion.js';
import { type JsonObject, objectOf, nonEmptyText, wordOf } from '../../json-values.js';
import { newToolCallId } from '../../tool-call-id.js';
import { chunkOf, completionOf } from './completion.js';
import { type OpenBlock, OpenBlocks } from './open-blocks.js';
import { finishReasonsOf } from './stop-reasons.js';
import { encryptedReasoning, reasoningText } from './thinking-blocks.js';
import { idOfThought } from './thought-place.js';
import { countedUsageOf, countsAnswer, mergedUsage, serviceTierOf } from './usage.js';

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
    switch (block['type']) {
      case 'tool_use':
        return this.beginToolCall(position, block);
      case 'thinking': {
        this.beginThought(position);
        return;
      }
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

  private beginThought(position: unknown): undefined {
    const unsaidId = this.placeOfThought();
    this.blocks.begin(position, { kind: 'thinking', index: this.thoughts++, unsentInput: undefined, unsaidId });
  }

  /** @returns the id of a thought that begins now; undefined for the first block of the answer */
  private placeOfThought(): string | undefined {
    return idOfThought(this.thoughts, { text: this.textLength, calls: this.toolCalls });
  }

  private beginToolCall(position: unknown, { id, name, input }: JsonObject): ChatChunk {
    const index = this.toolCalls++;
    this.blocks.begin(position, { kind: 'tool', index, unsentInput: JSON.stringify(input ?? {}) });
    const named = { name: nonEmptyText(name) ?? '', arguments: '' };
    return this.chunk({
      tool_calls: [{ index, id: nonEmptyText(id) ?? newToolCallId(), type: 'function', function: named }],
    });
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
    const block = this.blocks.end(position);
    return block === undefined ? undefined : this.calls(unsentInputsOf([block]));
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
    return this.chunk({ reasoning_details: [pieceOf(block, { signature })] });
  }

  private input(block: OpenBlock | undefined, text: string | undefined): ChatChunk | undefined {
    if (block?.kind !== 'tool' || text === undefined) return undefined;
    this.blocks.forgetInput(block);
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
