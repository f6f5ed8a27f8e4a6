import type { ContentBlock } from '../anthropic-messages/blocks.js';
import { type JsonObject, listOf, nonEmptyText, objectOf, walkedListOf } from '../chat/json-values.js';
import { untranslatable } from '../errors/provider-error.js';
import { type DocumentBlocks, imageBlock } from './documents.js';

/** The mark of a block of the Messages form. */
const MARK = 'cache_control';

/** What a result says that is empty, and what stands beside documents alone: the provider refuses both otherwise. */
const NO_OUTPUT = '(no output)';
const SEE_DOCUMENT = 'See the document.';

/** A tool whose call is not in the conversation. */
const A_TOOL = 'a tool';

/** How the blocks of a request are written. */
export interface BlockContext {
  readonly documents: DocumentBlocks;
  /** Whether the model knows marks for its cache; others refuse them. */
  readonly takesMarks: boolean;
  /** Is told of a mark that is left out. */
  readonly leftOutMark: () => void;
}

/**
 * Writes blocks of a message of the Messages form in that of Converse
 * (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html). A mark stands behind its block here.
 *
 * @throws ProviderError for what there is no block for
 */
export function converseBlocksOf(blocks: readonly ContentBlock[], context: BlockContext): readonly JsonObject[] {
  const written = blocks.flatMap((block) => [...blocksOf(block, context), ...cachePointOf(block, context)]);
  const isDocumentAlone =
    written.some((block) => 'document' in block) && !written.some((block) => 'text' in block || 'toolResult' in block);
  return isDocumentAlone ? [{ text: SEE_DOCUMENT }, ...written] : written;
}

/** The mark behind a block, or behind what has marks within it: there is none within a result. */
export function cachePointOf(marked: JsonObject, { takesMarks, leftOutMark }: BlockContext): readonly JsonObject[] {
  const mark = [marked, ...listOf(marked['content'])]
    .map((block) => objectOf(objectOf(block)?.[MARK]))
    .findLast((one) => one !== undefined);
  if (mark === undefined) return [];
  if (!takesMarks) {
    leftOutMark();
    return [];
  }
  const ttl = nonEmptyText(mark['ttl']);
  return [{ cachePoint: { type: 'default', ...(ttl !== undefined && { ttl }) } }];
}

function blocksOf(block: ContentBlock, context: BlockContext): readonly JsonObject[] {
  switch (block.type) {
    case 'text':
      return [{ text: block['text'] }];
    case 'image':
      return [imageBlock(block['source'] as JsonObject)];
    case 'document':
      return [context.documents.blockOf(block)];
    case 'tool_reference':
      return [{ text: block['tool_name'] }];
    case 'tool_use':
      return [{ toolUse: { toolUseId: block['id'], name: block['name'], input: block['input'] } }];
    case 'tool_result':
      return [{ toolResult: toolResultOf(block, context) }];
    case 'thinking':
      return [{ reasoningContent: { reasoningText: { text: block['thinking'], signature: block['signature'] } } }];
    case 'redacted_thinking':
      return [{ reasoningContent: { redactedContent: block['data'] } }];
    default:
      throw untranslatable(`blocks of type ${block.type}`);
  }
}

function toolResultOf(block: ContentBlock, context: BlockContext): JsonObject {
  const content = (listOf(block['content']) as readonly ContentBlock[]).flatMap((part) => blocksOf(part, context));
  return {
    toolUseId: block['tool_use_id'],
    content: content.length === 0 ? [{ text: NO_OUTPUT }] : content,
    status: block['is_error'] === true ? 'error' : 'success',
  };
}

/**
 * Blocks with calls of tools and their results as texts, for a request that offers none: the provider refuses both without tools.
 *
 * @param names of the tools, by the ids of the calls before; those of these blocks are added
 */
export function withoutCalls(blocks: readonly ContentBlock[], names: Map<unknown, string>): readonly ContentBlock[] {
  return blocks.flatMap((block): readonly ContentBlock[] => {
    const mark = MARK in block ? { [MARK]: block[MARK] } : {};
    if (block.type === 'tool_use') {
      const called = nonEmptyText(block['name']) ?? A_TOOL;
      names.set(block['id'], called);
      const text = `Called ${called} with ${JSON.stringify(block['input'])}`;
      return [{ type: 'text', text, ...mark }];
    }
    if (block.type !== 'tool_result') return [block];
    const name = names.get(block['tool_use_id']) ?? A_TOOL;
    const content = listOf(block['content']) as readonly ContentBlock[];
    const lead = content.length === 0 ? NO_OUTPUT : '';
    return [{ type: 'text', text: `Result of ${name}: ${lead}`.trimEnd(), ...mark }, ...content];
  });
}

/** Whether a block is a call of a tool, or the result of one. */
export function isOfTool({ type }: ContentBlock): boolean {
  return type === 'tool_use' || type === 'tool_result';
}

/**
 * Reads a block of an answer as one of the Messages form. Kinds that are not known are skipped, and so is what the provider's own tools
 * called and answered.
 *
 * @param jsonTool the name of the tool whose input is the answer itself; undefined for none
 */
export function messagesBlocksOf(block: JsonObject, jsonTool: string | undefined): readonly ContentBlock[] {
  const text = nonEmptyText(block['text']);
  if (text !== undefined) return [{ type: 'text', text }];
  const call = objectOf(block['toolUse']);
  if (call !== undefined) return callOf(call, jsonTool);
  const cited = objectOf(block['citationsContent']);
  if (cited !== undefined) return [{ type: 'text', text: textsOf(cited['content']) }];
  const thought = objectOf(block['reasoningContent']);
  return thought === undefined ? [] : thoughtOf(thought);
}

/** Whether a call is one of a tool that the provider itself runs. */
export function isOfProvider(call: JsonObject): boolean {
  return call['type'] === 'server_tool_use';
}

function callOf(call: JsonObject, jsonTool: string | undefined): readonly ContentBlock[] {
  if (isOfProvider(call)) return [];
  const { toolUseId, name, input } = call;
  if (jsonTool !== undefined && name === jsonTool) return [{ type: 'text', text: JSON.stringify(input ?? {}) }];
  return [{ type: 'tool_use', id: toolUseId, name, input }];
}

/** What a text says that has citations is part of the answer. */
function textsOf(content: unknown): string {
  return walkedListOf(content)
    .map((part) => nonEmptyText(objectOf(part)?.['text']) ?? '')
    .join('');
}

function thoughtOf({ reasoningText, redactedContent }: JsonObject): readonly ContentBlock[] {
  const data = nonEmptyText(redactedContent);
  if (data !== undefined) return [{ type: 'redacted_thinking', data }];
  const said = objectOf(reasoningText);
  return said === undefined ? [] : [{ type: 'thinking', thinking: said['text'], signature: said['signature'] }];
}
