import type { ChatChunk, ChatDelta, ToolCallDelta } from '../../chat-completion.js';
import { type JsonObject, objectOf, textOf, wordOf } from '../../json-values.js';
import { finishReasonsOf } from './stop-reasons.js';
import { encryptedReasoning, reasoningText } from './thinking-blocks.js';
import { serviceTierOf, usageOf } from './usage.js';

const UNFINISHED = { finish_reason: null, native_finish_reason: null };

/** A block that has begun and not ended. */
interface OpenBlock {
  readonly kind: 'tool' | 'thinking';
  /** Among the tool calls, or among the blocks of reasoning. */
  readonly index: number;
  /** The arguments that came with the beginning of a tool call: they count if no others come. */
  unsentInput: string | undefined;
}

/** Reads one stream of the Messages API, event by event. */
export class EventTranslator {
  /** Whether the provider has finished the message. */
  finished = false;
  private upstreamId: string | null = null;
  private usage: JsonObject = {};
  private readonly blocks = new Map<unknown, OpenBlock>();
  private toolCalls = 0;
  private thoughts = 0;

  /**
   * Takes the next event, which is no error.
   *
   * @returns what it adds to the answer; undefined if it adds nothing
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
      case 'message_stop':
        this.finished = true;
        return undefined;
      default:
        // Pings, and kinds that are not known: the form may add some at any time.
        return undefined;
    }
  }

  /** The tokens of the prompt are known from the beginning, also to who has to charge a stream that is cut. */
  private begin(message: JsonObject): ChatChunk {
    this.upstreamId = wordOf(message['id']) ?? null;
    this.usage = objectOf(message['usage']) ?? {};
    return { ...this.chunk({ role: 'assistant', content: '' }), ...this.usageFields() };
  }

  private beginBlock(position: unknown, block: JsonObject): ChatChunk | undefined {
    switch (block['type']) {
      case 'tool_use':
        return this.beginToolCall(position, block);
      case 'thinking':
        this.blocks.set(position, { kind: 'thinking', index: this.thoughts++, unsentInput: undefined });
        return undefined;
      case 'redacted_thinking':
        return this.chunk({
          reasoning_details: [encryptedReasoning(this.thoughts++, textOf(block['data']) ?? '')],
        });
      default:
        return this.content(textOf(block['text']));
    }
  }

  private beginToolCall(position: unknown, { id, name, input }: JsonObject): ChatChunk {
    const index = this.toolCalls++;
    this.blocks.set(position, { kind: 'tool', index, unsentInput: JSON.stringify(input ?? {}) });
    return this.toolCall({
      index,
      id: textOf(id) ?? '',
      type: 'function',
      function: { name: textOf(name) ?? '', arguments: '' },
    });
  }

  private continueBlock(position: unknown, delta: JsonObject): ChatChunk | undefined {
    const block = this.blocks.get(position);
    switch (delta['type']) {
      case 'text_delta':
        return this.content(textOf(delta['text']));
      case 'thinking_delta':
        return this.thought(block, textOf(delta['thinking']));
      case 'signature_delta':
        return this.signature(block, textOf(delta['signature']));
      case 'input_json_delta':
        return this.input(block, textOf(delta['partial_json']));
      default:
        return undefined;
    }
  }

  private endBlock(position: unknown): ChatChunk | undefined {
    const block = this.blocks.get(position);
    this.blocks.delete(position);
    if (block?.unsentInput === undefined) return undefined;
    return this.toolCall({ index: block.index, function: { arguments: block.unsentInput } });
  }

  /** The counts are totals; those that are left out here stay as they were at the beginning. */
  private end(delta: JsonObject, usage: JsonObject): ChatChunk {
    for (const [name, count] of Object.entries(usage)) {
      if (count !== null) this.usage = { ...this.usage, [name]: count };
    }
    const reasons = finishReasonsOf(delta);
    this.finished ||= reasons.finish_reason !== null;
    const tier = serviceTierOf(this.usage);
    return {
      upstreamId: this.upstreamId,
      choices: reasons.finish_reason === null ? [] : [{ index: 0, delta: {}, ...reasons }],
      ...this.usageFields(),
      ...(tier === null ? {} : { serviceTier: tier }),
    };
  }

  private content(text: string | undefined): ChatChunk | undefined {
    return text === undefined ? undefined : this.chunk({ content: text });
  }

  private thought(block: OpenBlock | undefined, text: string | undefined): ChatChunk | undefined {
    if (block?.kind !== 'thinking' || text === undefined) return undefined;
    return this.chunk({ reasoning: text, reasoning_details: [reasoningText(block.index, { text })] });
  }

  private signature(block: OpenBlock | undefined, signature: string | undefined): ChatChunk | undefined {
    if (block?.kind !== 'thinking' || signature === undefined) return undefined;
    return this.chunk({ reasoning_details: [reasoningText(block.index, { signature })] });
  }

  private input(block: OpenBlock | undefined, text: string | undefined): ChatChunk | undefined {
    if (block?.kind !== 'tool' || text === undefined) return undefined;
    block.unsentInput = undefined;
    return this.toolCall({ index: block.index, function: { arguments: text } });
  }

  private toolCall(delta: ToolCallDelta): ChatChunk {
    return this.chunk({ tool_calls: [delta] });
  }

  private chunk(delta: ChatDelta): ChatChunk {
    return { upstreamId: this.upstreamId, choices: [{ index: 0, delta, ...UNFINISHED }] };
  }

  private usageFields(): Pick<ChatChunk, 'usage'> {
    const usage = usageOf(this.usage);
    return usage === null ? {} : { usage };
  }
}
