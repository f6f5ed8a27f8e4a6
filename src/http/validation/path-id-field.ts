import { TextField } from './fields.js';

/**
 * The id of an object in a path. It may have any form: one that no id has belongs to no object, which is a 404 and not a 400.
 */
export function PathIdField(description: string, example: string): PropertyDecorator {
  return TextField({ description, example, minLength: 1 });
}
