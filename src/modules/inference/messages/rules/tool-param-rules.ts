import type { ReasonedIssue } from '../../../../api/errors/issue.js';
import { joinPath } from '../../../../api/errors/issue.js';
import { isObject } from '../../../../api/validation/constraints.js';
import { calledNameIssues } from '../../rules/call-rules.js';
import { type Body, byType, fields, object, optional, truth } from './checks.js';

/** The maximum length of the name of a tool, in characters. */
const MAXIMUM_NAME_LENGTH = 128;

/** Tools that the form defines and the client runs. Those that a provider runs cost what no usage tells. */
const RUN_BY_CLIENT = /^(bash|computer|memory|text_editor)_\d{8}$/;

/** Whether a type is that of a tool that the form defines and the client runs. */
export function isRunByClient(type: unknown): boolean {
  return typeof type === 'string' && RUN_BY_CLIENT.test(type);
}

const choice = byType({
  auto: fields({ disable_parallel_tool_use: optional(truth) }),
  any: fields({ disable_parallel_tool_use: optional(truth) }),
  tool: fields({ name: calledNameIssues, disable_parallel_tool_use: optional(truth) }),
  none: object,
});

/** Tools, and the choice among them (docs/interface/messages.md#tools). */
export function toolParamRules({ tools, tool_choice: chosen }: Body): ReasonedIssue[] {
  const issues = Array.isArray(tools)
    ? tools.flatMap((tool: unknown, index) => (isObject(tool) ? toolIssues(tool, joinPath('tools', index)) : []))
    : [];
  return [...issues, ...(isObject(chosen) ? choice(chosen, 'tool_choice') : [])];
}

function toolIssues({ type, name, input_schema: schema, cache_control: mark }: Body, path: string): ReasonedIssue[] {
  const isOwn = type === undefined || type === null || type === 'custom';
  if (!isOwn && !isRunByClient(type)) {
    return [{ path: joinPath(path, 'type'), message: 'must be custom, or that of a tool that the client runs' }];
  }
  const isName = typeof name === 'string' && name !== '' && [...name].length <= MAXIMUM_NAME_LENGTH;
  return [
    ...(isName
      ? []
      : [{ path: joinPath(path, 'name'), message: `must be a text of 1 to ${MAXIMUM_NAME_LENGTH} characters` }]),
    ...(isOwn ? object(schema, joinPath(path, 'input_schema')) : []),
    ...optional(object)(mark, joinPath(path, 'cache_control')),
  ];
}
