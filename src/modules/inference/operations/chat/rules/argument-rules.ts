import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';
import { isObject } from '../../../../../http/validation/constraints.js';
import { EmbeddedJson } from '../../../rules/embedded-json.js';

type Body = Readonly<Record<string, unknown>>;

/** The arguments of all calls together are bounded like a body (docs/interface/inference.md#messages). */
export function argumentRules({ messages }: Body): IssueWithReason[] {
  const json = new EmbeddedJson();
  return objectsIn(messages, 'messages').flatMap(({ object: message, path: ofMessage }) =>
    objectsIn(message.tool_calls, joinPath(ofMessage, 'tool_calls')).flatMap(({ object: call, path }) => {
      const called = call.function;
      if (!isObject(called) || typeof called.arguments !== 'string') return [];
      return json.issuesOfArguments(called.arguments, joinPath(path, 'function.arguments'));
    }),
  );
}

/** The objects of a list, with their paths. Items of other types are reported by other rules. */
function objectsIn(list: unknown, path: string): { readonly object: Body; readonly path: string }[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((object: unknown, index) => (isObject(object) ? [{ object, path: joinPath(path, index) }] : []));
}
