import { joinPath, type ReasonedIssue } from '../../../../api/errors/issue.js';
import { isObject } from '../../../../api/validation/constraints.js';
import { isWebSearch, offeredNameOf } from '../request/offered-tools.js';
import { nameIssues } from './name-issues.js';

type Body = Readonly<Record<string, unknown>>;

const CHOICES = ['none', 'auto', 'required'];

const MODES = ['auto', 'required'];

/** Tools are the caller's own, and the choice is among them (docs/interface/responses.md#tools). */
export function functionRules({ tools, tool_choice: choice }: Body): ReasonedIssue[] {
  return [...toolsIssues(tools, 'tools'), ...ambiguityIssues(tools), ...choiceIssues(choice, tools)];
}

/** A preset serves requests of every form, so that its tools are functions (docs/interface/presets.md#other-forms). */
export function functionsAlone({ tools }: Body): ReasonedIssue[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, index) =>
    isObject(tool) && (tool.type === 'custom' || tool.type === 'namespace')
      ? [{ path: joinPath(joinPath('tools', index), 'type'), message: 'must be function in a preset' }]
      : [],
  );
}

function toolsIssues(tools: unknown, path: string): ReasonedIssue[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, index) => (isObject(tool) ? toolIssues(tool, joinPath(path, index)) : []));
}

function toolIssues(tool: Body, path: string): ReasonedIssue[] {
  if (isWebSearch(tool)) return [];
  if (tool.type === 'namespace') return namespaceIssues(tool, path);
  return ownToolIssues(tool, path, undefined);
}

function namespaceIssues({ name, tools }: Body, path: string): ReasonedIssue[] {
  const issues = nameIssues(name, path);
  const inner = joinPath(path, 'tools');
  if (!Array.isArray(tools) || !tools.every(isObject)) {
    return [...issues, { path: inner, message: 'must be a list of objects' }];
  }
  return [...issues, ...tools.flatMap((tool: Body, index) => ownToolIssues(tool, joinPath(inner, index), name))];
}

/** @param namespace of the tool: providers know it by both names together */
function ownToolIssues(tool: Body, path: string, namespace: unknown): ReasonedIssue[] {
  const { type, name, parameters } = tool;
  if (type !== 'function' && type !== 'custom') {
    return [
      { path: joinPath(path, 'type'), message: 'must be function or custom: the gateway has no tools of its own' },
    ];
  }
  const isFitting = parameters === undefined || parameters === null || isObject(parameters);
  return [
    ...nameIssues(typeof name === 'string' && name !== '' ? offeredNameOf(name, namespace) : name, path),
    ...(isFitting ? [] : [{ path: joinPath(path, 'parameters'), message: 'must be object or null' }]),
  ];
}

/** A name that a namespace and its tool have together must be that of no other tool, so that a call says which is meant. */
function ambiguityIssues(tools: unknown): ReasonedIssue[] {
  if (!Array.isArray(tools)) return [];
  const others = new Set(tools.flatMap((tool: unknown) => (isOwnTool(tool) ? [tool.name] : [])));
  return tools.flatMap((group: unknown, index) => {
    if (!isObject(group) || group.type !== 'namespace' || !Array.isArray(group.tools)) return [];
    const inner = joinPath(joinPath('tools', index), 'tools');
    return group.tools.flatMap((tool: unknown, position) => {
      if (!isOwnTool(tool)) return [];
      const name = offeredNameOf(tool.name, group.name);
      const isTaken = others.has(name);
      others.add(name);
      const path = joinPath(joinPath(inner, position), 'name');
      return isTaken ? [{ path, message: `makes a name that another tool has: ${name}` }] : [];
    });
  });
}

function isOwnTool(tool: unknown): tool is Body & { readonly name: string } {
  return isObject(tool) && tool.type !== 'namespace' && typeof tool.name === 'string';
}

function choiceIssues(choice: unknown, tools: unknown): ReasonedIssue[] {
  if (choice === undefined || choice === null) return [];
  const path = 'tool_choice';
  if (typeof choice === 'string') {
    if (!CHOICES.includes(choice)) return [{ path, message: `must be one of: ${CHOICES.join(', ')}` }];
    const isLeftOut = choice === 'required' && Array.isArray(tools) && tools.length > 0 && tools.every(isWebSearch);
    return isLeftOut ? [{ path, message: 'must not be required: the gateway does not search the web' }] : [];
  }
  if (!isObject(choice)) return [{ path, message: 'must be string or object' }];
  if (choice.type === 'function' || choice.type === 'custom') return nameIssues(choice.name, path);
  if (choice.type === 'allowed_tools') return allowedIssues(choice, path);
  return [{ path: joinPath(path, 'type'), message: 'must be one of: function, custom, allowed_tools' }];
}

function allowedIssues({ mode, tools }: Body, path: string): ReasonedIssue[] {
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
