import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';
import { isObject } from '../../../../../http/validation/constraints.js';
import { calledNameIssues, callIdIssues, isTextOrNothing } from '../../../rules/call-rules.js';
import {
  AgentItems,
  agentMessageOf,
  isCiphertext,
  type ItemFate,
} from '../../../../codecs/openai-responses/request-decoder.js';
import { INPUT_ITEM_TYPES } from '../../../../codecs/openai-responses/client-request.js';
import { offeredNameOf } from '../../../../codecs/openai-responses/tools.js';
import { foundToolsIssues } from './function-rules.js';
import { contentIssues } from './input-content-rules.js';
import { MOST_CALLS } from '../../../rules/list-bounds.js';

type Body = Readonly<Record<string, unknown>>;

const ROLES = ['system', 'developer', 'user', 'assistant'];

/** Checks that the input is a text, or a list of complete items (docs/interface/responses.md#input). */
export function inputRules({ input }: Body): IssueWithReason[] {
  if (input === undefined || input === null) return [{ path: 'input', message: 'is required' }];
  return givenInputRules({ input });
}

/** Checks an input that may be left out. */
export function givenInputRules({ input }: Body): IssueWithReason[] {
  if (input === undefined || input === null || typeof input === 'string') return [];
  if (!Array.isArray(input)) return [{ path: 'input', message: 'must be a text or a list of items' }];
  if (input.length === 0) return [{ path: 'input', message: 'must NOT have fewer than 1 items' }];
  const agents = new AgentItems(input);
  return [
    ...input.flatMap((item: unknown, index) => itemIssues(item, joinPath('input', index), agents)),
    ...callCountIssues(input),
  ];
}

/** Calls that follow each other are those of one message in every other form. */
function callCountIssues(input: readonly unknown[]): IssueWithReason[] {
  let calls = 0;
  for (const [index, item] of input.entries()) {
    const type = isObject(item) ? item.type : undefined;
    if (typeof type === 'string' && type.endsWith('_call')) calls += 1;
    else if (type !== 'reasoning') calls = 0;
    if (calls > MOST_CALLS) {
      const message = `must NOT be one of more than ${MOST_CALLS} calls that follow each other`;
      return [{ path: joinPath('input', index), message }];
    }
  }
  return [];
}

function itemIssues(item: unknown, path: string, agents: AgentItems): IssueWithReason[] {
  if (!isObject(item)) return [{ path, message: 'must be object' }];
  switch (item.type) {
    case undefined:
    case 'message':
      return messageIssues(item, path);
    case 'function_call':
      return [...callIssues(item, path), ...textIssues(item, path, ['arguments'])];
    case 'custom_tool_call':
      return [...callIssues(item, path), ...textIssues(item, path, ['input'])];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [
        ...callIdIssues(item.call_id, joinPath(path, 'call_id')),
        ...contentIssues(item.output, joinPath(path, 'output'), 'others'),
      ];
    case 'tool_search_call':
      return searchCallIssues(item, path);
    case 'tool_search_output':
      return [
        ...callIdIssues(item.call_id, joinPath(path, 'call_id')),
        ...foundToolsIssues(item.tools, joinPath(path, 'tools')),
      ];
    case 'reasoning':
      return reasoningIssues(item, path);
    case 'item_reference':
      return [
        {
          path,
          message:
            'must be the item itself: items are not stored, so that a reference to one leads nowhere (libraries send the items themselves with store: false)',
        },
      ];
    default:
      return otherItemIssues(item, path, agents.fateOf(item));
  }
}

/** Items of other types are left out or read as calls of functions; a 400 only where something else would be asked without them. */
function otherItemIssues(item: Body, path: string, fate: ItemFate): IssueWithReason[] {
  switch (fate) {
    case 'agent_message':
      return agentMessageIssues(item, joinPath(path, 'content'));
    case 'tools':
      return foundToolsIssues(item.tools, joinPath(path, 'tools'));
    case 'call':
    case 'result':
      return ['call_id', 'id']
        .filter((name) => item[name] !== undefined && item[name] !== null)
        .flatMap((name) => callIdIssues(item[name], joinPath(path, name)));
    case 'refused':
      return [{ path: joinPath(path, 'type'), message: REFUSED }];
    default:
      return [];
  }
}

function agentMessageIssues(item: Body, path: string): IssueWithReason[] {
  const parts = Array.isArray(item['content']) ? (item['content'] as readonly unknown[]) : [];
  const sealed = parts.findIndex((part) => isObject(part) && isCiphertext(part.encrypted_content));
  if (sealed === -1) return contentIssues(agentMessageOf(item).content, path, 'others');
  const message =
    'must be readable: only OpenAI can decrypt this message between agents, and no model can be asked with it';
  return [{ path: joinPath(joinPath(path, sealed), 'encrypted_content'), message }];
}

const REFUSED = `must be one of: ${INPUT_ITEM_TYPES.join(', ')}, because something else would be asked without this item`;

function callIssues({ call_id: id, name, namespace }: Body, path: string): IssueWithReason[] {
  // Providers know a function by both names together.
  const called = typeof name === 'string' ? offeredNameOf(name, namespace) : name;
  return [
    ...callIdIssues(id, joinPath(path, 'call_id')),
    ...calledNameIssues(called, joinPath(path, 'name')),
    ...(isTextOrNothing(namespace) ? [] : [{ path: joinPath(path, 'namespace'), message: 'must be string or null' }]),
  ];
}

function searchCallIssues(item: Body, path: string): IssueWithReason[] {
  const { arguments: given } = item;
  const areArguments = typeof given === 'string' || isObject(given);
  return [
    ...callIdIssues(item.call_id, joinPath(path, 'call_id')),
    ...(areArguments ? [] : [{ path: joinPath(path, 'arguments'), message: 'must be string or object' }]),
  ];
}

function messageIssues({ role, content }: Body, path: string): IssueWithReason[] {
  if (typeof role !== 'string' || !ROLES.includes(role)) {
    return [{ path: joinPath(path, 'role'), message: `must be one of: ${ROLES.join(', ')}` }];
  }
  if (role === 'assistant' && (content === undefined || content === null)) return [];
  return contentIssues(content, joinPath(path, 'content'), role === 'assistant' ? 'assistant' : 'others');
}

function reasoningIssues(item: Body, path: string): IssueWithReason[] {
  const lists = ['summary', 'content'].filter((name) => !isListOfTexts(item[name]));
  const texts = ['encrypted_content', 'signature', 'format'].filter((name) => !isTextOrNothing(item[name]));
  return [
    ...lists.map((name) => ({ path: joinPath(path, name), message: 'must be a list of objects with a text' })),
    ...texts.map((name) => ({ path: joinPath(path, name), message: 'must be string or null' })),
  ];
}

function textIssues(item: Body, path: string, names: readonly string[]): IssueWithReason[] {
  return names
    .filter((name) => typeof item[name] !== 'string')
    .map((name) => ({ path: joinPath(path, name), message: 'must be string' }));
}

function isListOfTexts(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) && value.every((part) => isObject(part) && typeof part.text === 'string');
}
