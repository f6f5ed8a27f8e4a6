import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';
import { codePointsOf, isObject } from '../../../../../http/validation/constraints.js';
import { type Body, oneOf, optional } from './checks.js';
import { isCallable, isRunByClient } from '../../../../codecs/anthropic-messages/request-decoder.js';

/** The maximum length of the name of a tool that requests of every form can have, in characters. */
const MAXIMUM_NAME_LENGTH = 64;

/** The maximum number of texts at which an answer ends. */
const MAXIMUM_STOPS = 4;

const tier = optional(oneOf(['auto', 'standard_only', 'default', 'fast', 'flex', 'priority', 'scale']));

/**
 * What a preset cannot keep of the Messages form, because requests of other forms use it as well
 * (docs/interface/presets.md#creating-a-version).
 */
export function presetSettingRules({
  stop_sequences: stops,
  tools,
  tool_choice: choice,
  ...body
}: Body): IssueWithReason[] {
  const list = Array.isArray(tools) ? tools.filter(isObject) : [];
  const isAnyCallable = list.some(isCallable);
  return [
    ...(Array.isArray(stops) && stops.length > MAXIMUM_STOPS
      ? [{ path: 'stop_sequences', message: `must NOT have more than ${MAXIMUM_STOPS} items in a preset` }]
      : []),
    ...(Array.isArray(tools)
      ? tools.flatMap((tool: unknown, index) =>
          isObject(tool) ? toolIssues(tool, joinPath('tools', index), isAnyCallable) : [],
        )
      : []),
    ...(isObject(choice) ? nameIssues(choice, 'tool_choice') : []),
    ...tier(body.service_tier, 'service_tier'),
  ];
}

function toolIssues(tool: Body, path: string, isAnyCallable: boolean): IssueWithReason[] {
  if (isCallable(tool) && !isRunByClient(tool.type)) return nameIssues(tool, path);
  // The rules of requests refuse it already where there is no tool that the client runs.
  if (!isCallable(tool) && !isAnyCallable) return [];
  return [
    {
      path: joinPath(path, 'type'),
      message: 'must be custom in a preset, because requests of every form get its tools',
    },
  ];
}

function nameIssues({ name }: Body, path: string): IssueWithReason[] {
  if (typeof name !== 'string' || codePointsOf(name) <= MAXIMUM_NAME_LENGTH) return [];
  const message = `must NOT have more than ${MAXIMUM_NAME_LENGTH} characters in a preset`;
  return [{ path: joinPath(path, 'name'), message }];
}
