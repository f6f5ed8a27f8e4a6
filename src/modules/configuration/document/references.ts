import { type IssueWithReason, joinPath } from '../../../http/errors/issue.js';
import type { JsonSchema } from '../../../http/openapi/json-schema.js';
import { isObject } from '../../../http/validation/constraints.js';

/** A reference in a file: a name, or one with the workspace in which it is looked for. */
export type Reference = string | { readonly workspace: string; readonly name: string };

/** A reference in the schema of files (configuration-schema.ts). */
export const REFERENCE: JsonSchema = { $ref: '#/$defs/reference' };

function isReference(value: unknown): value is Reference {
  if (typeof value === 'string') return value !== '';
  if (!isObject(value)) return false;
  const { workspace, name, ...others } = value;
  return typeof workspace === 'string' && typeof name === 'string' && Object.keys(others).length === 0;
}

/** What is wrong with the form of a reference, or of a list of them. @param path of the field */
export function issuesOfReference(path: string, value: unknown, isList: boolean): IssueWithReason[] {
  if (value === null) return [];
  const message = 'must be a name, or {workspace: SLUG, name: NAME}';
  if (!isList) return isReference(value) ? [] : [{ path, message }];
  if (!Array.isArray(value)) return [{ path, message: 'must be array' }];
  return (value as unknown[]).flatMap((one, index) =>
    isReference(one) ? [] : [{ path: joinPath(path, index), message }],
  );
}
