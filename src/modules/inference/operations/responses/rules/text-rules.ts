import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';
import { isObject } from '../../../../../http/validation/constraints.js';
import { nameIssues } from './function-rules.js';
import { requiredIssues } from '../../../rules/list-bounds.js';

type Body = Readonly<Record<string, unknown>>;

const FORMATS = ['text', 'json_object', 'json_schema'];

/** The form of the text of an answer (docs/interface/responses.md#text). */
export function textRules({ text }: Body): IssueWithReason[] {
  if (!isObject(text) || !isObject(text.format)) return [];
  const path = 'text.format';
  const { type, name, schema } = text.format;
  if (typeof type !== 'string' || !FORMATS.includes(type)) {
    return [{ path: joinPath(path, 'type'), message: `must be one of: ${FORMATS.join(', ')}` }];
  }
  if (type !== 'json_schema') return [];
  return [
    ...nameIssues(name, path),
    ...requiredIssues(schema, joinPath(path, 'schema')),
    ...(isObject(schema) ? [] : [{ path: joinPath(path, 'schema'), message: 'must be object' }]),
  ];
}
