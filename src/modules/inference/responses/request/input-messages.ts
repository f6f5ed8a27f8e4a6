import type { ChatMessage, ContentPart, ToolCall } from '../../../providers/chat-completion.js';
import type { ReasoningDetail } from '../reasoning-text.js';
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
 */
export function messagesOf(input: string | readonly InputItem[]): ChatMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  const messages: ChatMessage[] = [];
  let turn: AssistantTurn | undefined;
  for (const item of input) {
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

  add(item: AssistantItem): void {
    if (item.type === 'reasoning') this.addReasoning(item);
    else if (isCall(item)) this.calls.push(toolCallOf(item));
    else this.addContent(item.content ?? []);
  }

  get message(): ChatMessage {
    const { refusals, thoughts, details, calls } = this;
    return {
      role: 'assistant',
      content: this.content,
      ...(refusals.length > 0 && { refusal: refusals.join('') }),
      ...(thoughts.length > 0 && { reasoning: thoughts.join('') }),
      ...(details.length > 0 && { reasoning_details: details }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
  }

  private get content(): string | readonly ContentPart[] | null {
    return this.parts.length === 0 ? null : contentOf(this.parts);
  }

  private addContent(content: string | readonly InputPart[]): void {
    const parts = typeof content === 'string' ? [{ type: 'output_text', text: content }] : content;
    for (const part of parts) {
      if (part.type === 'refusal') this.refusals.push(part['refusal'] as string);
      else this.parts.push(part);
    }
  }

  private addReasoning(item: InputReasoning): void {
    const { reasoning, details } = returnedReasoningOf(item);
    if (reasoning !== '') this.thoughts.push(reasoning);
    for (const detail of details) this.details.push(detail);
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
