import { TextField, UuidField } from './fields.js';

/**
 * The id of an object in a path. It may have any form: one that no id has belongs to no object, which is a 404 and not a 400.
 */
export function PathIdField(description: string, example: string): PropertyDecorator {
  return TextField({ description, example, minLength: 1 });
}

/** What a request or response may have in place of an id, and how long it may be. */
type IdRules = Omit<Parameters<typeof TextField>[0], 'description' | 'example'>;

/** The id of a workspace. */
export function WorkspaceIdField(description: string, rules: IdRules = {}): PropertyDecorator {
  return UuidField({ description, example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61', ...rules });
}

/** The id of a user. */
export function UserIdField(description: string, rules: IdRules = {}): PropertyDecorator {
  return TextField({ description, example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62', ...rules });
}
