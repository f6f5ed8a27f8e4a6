import type { ChatMessage, ContentPart, ToolCall } from '../../../providers/chat-completion.js';
import { RequestAdjustments } from '../../../providers/request-adjustments.js';
import { type BlockKind, withBlockOrder } from '../../../providers/protocols/anthropic/block-order.js';
import type { ReasoningDetail } from '../../carried-reasoning.js';
import { isPartOfAssistant } from '../rules/input-content-rules.js';
import { AgentItems } from './agent-items.js';
import { foundNamesOf } from './found-tools.js';
import { contentOf } from './input-content.js';
import type {
  InputCustomToolCall,
  InputFunctionCall,
  InputItem,
  InputMessage,
  InputPart,
  InputReasoning,
  InputToolSearchCall,
} from './input-item.js';
import { offeredNameOf, TOOL_SEARCH } from './offered-tools.js';
import { returnedReasoningOf } from './returned-reasoning.js';

/**
 * Writes an input as the messages of a chat completion. What the model has said, thought and called between two items of
 * others is one message, as providers expect it: the results of functions follow the message that has all of their calls.
 *
 * @param input as {@link inputIssues} allows it
 * @param adjustments is told which items and parts are left out
 */
export function messagesOf(
  input: string | readonly InputItem[],
  adjustments = new RequestAdjustments(),
): ChatMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  const messages: ChatMessage[] = [];
  let turn: AssistantTurn | undefined;
  for (const item of readItems(input, adjustments)) {
    if (isOfAssistant(item)) {
      turn ??= new AssistantTurn();
      turn.add(item);
      continue;
    }
    if (turn !== undefined) messages.push(turn.message);
    turn = undefined;
    messages.push(messageOf(item));
  }
  return turn === undefined ? messages : [...messages, turn.message];
}

/** The items that are read, each in a form that is known. */
function readItems(input: readonly InputItem[], adjustments: RequestAdjustments): InputItem[] {
  const agents = new AgentItems(input);
  return input.flatMap((item, index): readonly InputItem[] => {
    const path = `input.${index}`;
    switch (agents.fateOf(item)) {
      case 'known':
        return [isOfAssistant(item) ? withKnownParts(item, path, adjustments) : item];
      case 'tools':
        return [];
      case 'call':
        adjustments.changed(path, 'item_as_function_call');
        return [agents.functionCallOf(item)];
      case 'result':
        adjustments.changed(path, 'item_as_function_call');
        return [agents.functionResultOf(item)];
      default:
        adjustments.leftOut(path, 'item_without_counterpart');
        return [];
    }
  });
}

/** A message of the model without parts that have no counterpart in a chat. */
function withKnownParts(item: AssistantItem, path: string, adjustments: RequestAdjustments): AssistantItem {
  if (item.type !== undefined && item.type !== 'message') return item;
  const { content } = item;
  if (!Array.isArray(content)) return item;
  const known = (content as readonly InputPart[]).filter((part, index) => {
    const isKnown = isPartOfAssistant(part.type);
    if (!isKnown) adjustments.leftOut(`${path}.content.${index}`, 'part_without_counterpart');
    return isKnown;
  });
  return known.length === content.length ? item : { ...item, content: known };
}

type CallItem = InputFunctionCall | InputCustomToolCall | InputToolSearchCall;

type AssistantItem = CallItem | InputReasoning | (InputMessage & { readonly role: 'assistant' });

function isOfAssistant(item: InputItem): item is AssistantItem {
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call':
    case 'tool_search_call':
    case 'reasoning':
      return true;
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'tool_search_output':
      return false;
    default:
      return item.role === 'assistant';
  }
}

function messageOf(item: Exclude<InputItem, AssistantItem>): ChatMessage {
  if (item.type === 'tool_search_output') {
    return { role: 'tool', tool_call_id: item.call_id, content: foundNamesOf(item) };
  }
  if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
    return { role: 'tool', tool_call_id: item.call_id, content: contentOf(item.output) };
  }
  return { role: item.role, content: contentOf(item.content ?? '') };
}

/** What the model has done in one turn. */
class AssistantTurn {
  private readonly parts: InputPart[] = [];
  private readonly refusals: string[] = [];
  private readonly thoughts: string[] = [];
  private readonly details: ReasoningDetail[] = [];
  private readonly calls: ToolCall[] = [];
  /** Of details, parts and calls, for providers that take thoughts back only in their places. */
  private readonly order: BlockKind[] = [];

  add(item: AssistantItem): void {
    if (item.type === 'reasoning') this.addReasoning(item);
    else if (isCall(item)) this.addCall(item);
    else this.addContent(item.content ?? []);
  }

  get message(): ChatMessage {
    const { refusals, thoughts, details, calls, order } = this;
    const message: ChatMessage = {
      role: 'assistant',
      content: this.content,
      ...(refusals.length > 0 && { refusal: refusals.join('') }),
      ...(thoughts.length > 0 && { reasoning: thoughts.join('') }),
      ...(details.length > 0 && { reasoning_details: details }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    return withBlockOrder(message, order);
  }

  private get content(): string | readonly ContentPart[] | null {
    return this.parts.length === 0 ? null : contentOf(this.parts);
  }

  private addContent(content: string | readonly InputPart[]): void {
    const parts = typeof content === 'string' ? [{ type: 'output_text', text: content }] : content;
    for (const part of parts) {
      if (part.type === 'refusal') this.refusals.push(part['refusal'] as string);
      else {
        this.parts.push(part);
        this.order.push('part');
      }
    }
  }

  private addCall(item: CallItem): void {
    this.calls.push(toolCallOf(item));
    this.order.push('call');
  }

  private addReasoning(item: InputReasoning): void {
    const { reasoning, details } = returnedReasoningOf(item);
    if (reasoning !== '') this.thoughts.push(reasoning);
    for (const detail of details) {
      this.details.push(detail);
      this.order.push('thought');
    }
  }
}

function isCall(item: AssistantItem): item is CallItem {
  return item.type === 'function_call' || item.type === 'custom_tool_call' || item.type === 'tool_search_call';
}

function toolCallOf(item: CallItem): ToolCall {
  const name = item.type === 'tool_search_call' ? TOOL_SEARCH : offeredNameOf(item.name, item.namespace);
  return { id: item.call_id, type: 'function', function: { name, arguments: argumentsOf(item) } };
}

function argumentsOf(item: CallItem): string {
  if (item.type === 'custom_tool_call') return JSON.stringify({ input: item.input });
  return typeof item.arguments === 'string' ? item.arguments : JSON.stringify(item.arguments);
}
