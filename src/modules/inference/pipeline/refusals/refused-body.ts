import { isObject } from '../../../../http/validation/constraints.js';
import { splitPreset } from '../context/requested-models.js';

/** The name of the model that a body asks for first, whatever else is wrong with it; undefined without any. */
export function modelNamedIn(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const { model, models } = body;
  const first = model ?? (Array.isArray(models) ? (models as unknown[])[0] : undefined);
  return typeof first === 'string' ? splitPreset(first).model : undefined;
}

/** Whether a body asks for a stream, whatever else is wrong with it. */
export function wantsStream(body: unknown): boolean {
  return isObject(body) && body['stream'] === true;
}
