import { type IssueWithReason, joinPath } from '../../../../../http/errors/issue.js';
import { isObject } from '../../../../../http/validation/constraints.js';
import { calledNameIssues } from '../../../rules/call-rules.js';
import { isCallable } from '../../../../codecs/anthropic-messages/request-decoder.js';
import { type Body, byType, fields, object, optional, text, truth } from './checks.js';
import { requiredIssues } from '../../../rules/list-bounds.js';

/** The maximum length of the name of a tool, in characters. */
const MAXIMUM_NAME_LENGTH = 128;

const choice = byType({
  auto: fields({ disable_parallel_tool_use: optional(truth) }),
  any: fields({ disable_parallel_tool_use: optional(truth) }),
  tool: fields({ name: calledNameIssues, disable_parallel_tool_use: optional(truth) }),
  none: object,
});

/** Tools, and the choice among them (docs/interface/messages.md#tools). */
export function toolParamRules({ tools, tool_choice: chosen }: Body): IssueWithReason[] {
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [];
  const isAnyCallable = list.some((tool) => isObject(tool) && isCallable(tool));
  return [
    ...list.flatMap((tool, index) => {
      if (!isObject(tool)) return [];
      const path = joinPath('tools', index);
      return isCallable(tool) ? toolIssues(tool, path) : ofProviderIssues(tool, path, { chosen, isAnyCallable });
    }),
    ...(isObject(chosen) ? choice(chosen, 'tool_choice') : []),
  ];
}

function isOwn(type: unknown): boolean {
  return type === undefined || type === null || type === 'custom';
}

/**
 * A tool that a provider would run is left out beside others, because clients offer some with every request. The request is about
 * it where it is chosen, or there is no other.
 */
function ofProviderIssues(
  { type, name }: Body,
  path: string,
  { chosen, isAnyCallable }: { readonly chosen: unknown; readonly isAnyCallable: boolean },
): IssueWithReason[] {
  if (typeof type !== 'string') return text(type, joinPath(path, 'type'));
  const isChosen = isObject(chosen) && chosen.type === 'tool' && chosen.name === name;
  if (isAnyCallable && !isChosen) return [];
  const message = 'must be custom, or that of a tool that the client runs, where the request needs this tool';
  return [{ path: joinPath(path, 'type'), message }];
}

function toolIssues({ type, name, input_schema: schema, cache_control: mark }: Body, path: string): IssueWithReason[] {
  const isName = typeof name === 'string' && name !== '' && [...name].length <= MAXIMUM_NAME_LENGTH;
  return [
    ...(isName
      ? []
      : [{ path: joinPath(path, 'name'), message: `must be a text of 1 to ${MAXIMUM_NAME_LENGTH} characters` }]),
    ...(isOwn(type) ? object(schema, joinPath(path, 'input_schema')) : []),
    ...requiredIssues(schema, joinPath(path, 'input_schema')),
    ...optional(object)(mark, joinPath(path, 'cache_control')),
  ];
}
