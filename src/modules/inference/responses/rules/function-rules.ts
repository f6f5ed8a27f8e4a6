import { joinPath, type ReasonedIssue } from '../../../../api/errors/issue.js';
import { isObject } from '../../../../api/validation/constraints.js';
import { nameIssues } from './name-issues.js';

type Body = Readonly<Record<string, unknown>>;

const CHOICES = ['none', 'auto', 'required'];

const MODES = ['auto', 'required'];

/** Tools are functions, and the choice is among them (docs/interface/responses.md#tools). */
export function functionRules({ tools, tool_choice: choice }: Body): ReasonedIssue[] {
  return [...functionsIssues(tools, 'tools'), ...choiceIssues(choice)];
}

function functionsIssues(tools: unknown, path: string): ReasonedIssue[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, index) => (isObject(tool) ? functionIssues(tool, joinPath(path, index)) : []));
}

function functionIssues(tool: Body, path: string): ReasonedIssue[] {
  if (tool.type !== 'function') {
    return [{ path: joinPath(path, 'type'), message: 'must be function: the gateway has no tools of its own' }];
  }
  const { parameters } = tool;
  const isFitting = parameters === undefined || parameters === null || isObject(parameters);
  return [
    ...nameIssues(tool.name, path),
    ...(isFitting ? [] : [{ path: joinPath(path, 'parameters'), message: 'must be object or null' }]),
  ];
}

function choiceIssues(choice: unknown): ReasonedIssue[] {
  if (choice === undefined || choice === null) return [];
  const path = 'tool_choice';
  if (typeof choice === 'string') {
    return CHOICES.includes(choice) ? [] : [{ path, message: `must be one of: ${CHOICES.join(', ')}` }];
  }
  if (!isObject(choice)) return [{ path, message: 'must be string or object' }];
  if (choice.type === 'function') return nameIssues(choice.name, path);
  if (choice.type === 'allowed_tools') return allowedIssues(choice, path);
  return [{ path: joinPath(path, 'type'), message: 'must be one of: function, allowed_tools' }];
}

function allowedIssues({ mode, tools }: Body, path: string): ReasonedIssue[] {
  const isMode = typeof mode === 'string' && MODES.includes(mode);
  const areObjects = Array.isArray(tools) && tools.every(isObject);
  return [
    ...(isMode ? [] : [{ path: joinPath(path, 'mode'), message: `must be one of: ${MODES.join(', ')}` }]),
    ...(areObjects ? [] : [{ path: joinPath(path, 'tools'), message: 'must be a list of objects' }]),
    ...functionsIssues(tools, joinPath(path, 'tools')),
  ];
}
