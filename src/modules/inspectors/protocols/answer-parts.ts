import { isObject } from '../../../http/validation/constraints.js';
import { InspectorFailure } from '../../content/inspectors/remote-inspection.js';

/** Fields of an answer, of any form. */
export type Parts = Readonly<Record<string, unknown>>;

/** An answer, or a part of it, that has to be an object. @throws InspectorFailure */
export function objectOf(value: unknown, name = 'the answer'): Parts {
  if (isObject(value)) return value;
  throw new InspectorFailure(`${name} is no object`);
}

/** A part of an answer that has to be a list. @throws InspectorFailure */
export function listOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new InspectorFailure(`${name} is no list`);
}

/** A part of an answer that has to be a text. @throws InspectorFailure */
export function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new InspectorFailure(`${name} is no text`);
}

/** A part of an answer that has to be true or false. @throws InspectorFailure */
export function flagOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new InspectorFailure(`${name} is neither true nor false`);
}

/** A part of an answer that has to be a finite number. @throws InspectorFailure */
export function numberOf(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new InspectorFailure(`${name} is no number`);
}

/** A reason, if it is a text. */
export function reasonOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
