import { codePointsOf, isObject } from '../../../../../http/validation/constraints.js';
import { isRunByCaller, isWebSearch, offeredNameOf } from '../../../../codecs/openai-responses/tools.js';
import { ambiguityIssues } from './ambiguity-rules.js';
import { requiredIssues } from '../../../rules/list-bounds.js';
import { type IssueWithReason, joinPath } from '../../../../../http/errors/issue.js';

/** The maximum length of the name of a function or a schema, in characters. */
const MAXIMUM_NAME_LENGTH = 64;

/** Checks the name of a function or a schema. @param path of what has the name */
export function nameIssues(name: unknown, path: string): IssueWithReason[] {
  if (typeof name === 'string' && name !== '' && codePointsOf(name) <= MAXIMUM_NAME_LENGTH) return [];
  return [{ path: joinPath(path, 'name'), message: `must be a text of 1 to ${MAXIMUM_NAME_LENGTH} characters` }];
}

type Body = Readonly<Record<string, unknown>>;

const CHOICES = ['none', 'auto', 'required'];

/** The maximum number of tools that a search may have found. */
const MAXIMUM_FOUND = 1_000;

const MODES = ['auto', 'required'];

/** Tools are the caller's own, and the choice is among them (docs/interface/responses.md#tools). */
export function functionRules({ tools, tool_choice: choice, input }: Body): IssueWithReason[] {
  return [
    ...toolsIssues(tools, 'tools'),
    ...ofProvidersAlone(tools),
    ...ambiguityIssues(tools, input),
    ...choiceIssues(choice, tools),
  ];
}

/**
 * Tools that a provider would run are left out beside others. Where there are none, the request is about them, but for a search of
 * the web, which coding agents offer always.
 */
function ofProvidersAlone(tools: unknown): IssueWithReason[] {
  if (!Array.isArray(tools) || tools.some(isRunByCaller)) return [];
  return tools.flatMap((tool: unknown, index) =>
    isObject(tool) && !isWebSearch(tool) ? [typeIssue(joinPath('tools', index))] : [],
  );
}

function typeIssue(path: string): IssueWithReason {
  const message = 'must be function or custom where there is no other tool: the gateway has no tools of its own';
  return { path: joinPath(path, 'type'), message };
}

/** What a search for tools has found is a list of tools that the caller runs. */
export function foundToolsIssues(tools: unknown, path: string): IssueWithReason[] {
  if (!Array.isArray(tools) || !tools.every(isObject)) return [{ path, message: 'must be a list of objects' }];
  if (tools.length > MAXIMUM_FOUND) return [{ path, message: `must NOT have more than ${MAXIMUM_FOUND} items` }];
  return toolsIssues(tools, path);
}

/** A preset serves requests of every form, so that its tools are functions (docs/interface/presets.md#other-forms). */
export function functionsAlone({ tools }: Body): IssueWithReason[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, index) =>
    isObject(tool) && tool.type !== 'function' && !isWebSearch(tool)
      ? [{ path: joinPath(joinPath('tools', index), 'type'), message: 'must be function in a preset' }]
      : [],
  );
}

function toolsIssues(tools: unknown, path: string): IssueWithReason[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, index) => (isObject(tool) ? toolIssues(tool, joinPath(path, index)) : []));
}

function toolIssues(tool: Body, path: string): IssueWithReason[] {
  if (typeof tool.type !== 'string') return [{ path: joinPath(path, 'type'), message: 'must be string' }];
  if (!isRunByCaller(tool)) return [];
  if (tool.type === 'namespace') return namespaceIssues(tool, path);
  if (tool.type === 'tool_search') return parametersIssues(tool.parameters, path);
  return ownToolIssues(tool, path, undefined);
}

function parametersIssues(parameters: unknown, path: string): IssueWithReason[] {
  const isFitting = parameters === undefined || parameters === null || isObject(parameters);
  const inner = joinPath(path, 'parameters');
  return isFitting ? requiredIssues(parameters, inner) : [{ path: inner, message: 'must be object or null' }];
}

function namespaceIssues({ name, tools }: Body, path: string): IssueWithReason[] {
  const issues = nameIssues(name, path);
  const inner = joinPath(path, 'tools');
  if (!Array.isArray(tools) || !tools.every(isObject)) {
    return [...issues, { path: inner, message: 'must be a list of objects' }];
  }
  return [
    ...issues,
    ...tools.flatMap((tool: Body, index) =>
      isRunByCaller(tool) || typeof tool.type !== 'string' ? ownToolIssues(tool, joinPath(inner, index), name) : [],
    ),
  ];
}

/** @param namespace of the tool: providers know it by both names together */
function ownToolIssues(tool: Body, path: string, namespace: unknown): IssueWithReason[] {
  const { type, name, parameters } = tool;
  if (type !== 'function' && type !== 'custom') {
    return [
      { path: joinPath(path, 'type'), message: 'must be function or custom: the gateway has no tools of its own' },
    ];
  }
  return [
    ...nameIssues(typeof name === 'string' && name !== '' ? offeredNameOf(name, namespace) : name, path),
    ...parametersIssues(parameters, path),
  ];
}

function choiceIssues(choice: unknown, tools: unknown): IssueWithReason[] {
  if (choice === undefined || choice === null) return [];
  const path = 'tool_choice';
  if (typeof choice === 'string') {
    if (!CHOICES.includes(choice)) return [{ path, message: `must be one of: ${CHOICES.join(', ')}` }];
    const isLeftOut = choice === 'required' && Array.isArray(tools) && tools.length > 0 && !tools.some(isRunByCaller);
    return isLeftOut ? [{ path, message: 'must not be required: the gateway runs no tools' }] : [];
  }
  if (!isObject(choice)) return [{ path, message: 'must be string or object' }];
  if (choice.type === 'function' || choice.type === 'custom') return nameIssues(choice.name, path);
  if (choice.type === 'allowed_tools') return allowedIssues(choice, path);
  return [{ path: joinPath(path, 'type'), message: 'must be one of: function, custom, allowed_tools' }];
}

function allowedIssues({ mode, tools }: Body, path: string): IssueWithReason[] {
  const isMode = typeof mode === 'string' && MODES.includes(mode);
  const areObjects = Array.isArray(tools) && tools.every(isObject);
  const inner = joinPath(path, 'tools');
  return [
    ...(isMode ? [] : [{ path: joinPath(path, 'mode'), message: `must be one of: ${MODES.join(', ')}` }]),
    ...(areObjects
      ? tools.flatMap((tool: Body, index) => ownToolIssues(tool, joinPath(inner, index), undefined))
      : [{ path: inner, message: 'must be a list of objects' }]),
  ];
}
