import type { ReasonedIssue } from '../../../api/errors/issue.js';
import { BODY_BOUNDS, type JsonBounds } from '../../../api/input/json-bounds.js';
import { SharedJsonBounds } from '../../../api/input/shared-json-bounds.js';

const EXCESS_MESSAGES: Readonly<Record<keyof JsonBounds, string>> = {
  depth: `must not be nested deeper than ${BODY_BOUNDS.depth} levels`,
  values: `must not hold more than ${BODY_BOUNDS.values} values, together with the other JSON in texts of the request`,
};

/**
 * The JSON that stands in texts of a request, of which the bounds of its body count nothing. All of it together may hold as much
 * as a body (docs/limits.md#inference).
 */
export class EmbeddedJson {
  private readonly bounds = new SharedJsonBounds();

  /** Counts a JSON text. @returns the bound that it exceeds, with those that were counted before */
  issuesOf(json: Uint8Array, path: string): ReasonedIssue[] {
    const excess = this.bounds.exceededBy(json);
    return excess === undefined ? [] : [{ path, message: EXCESS_MESSAGES[excess] }];
  }

  /** The same of the arguments of a call. Models also write what is no JSON: that is never parsed, and not counted. */
  issuesOfArguments(text: string, path: string): ReasonedIssue[] {
    return mayBeJson(text) ? this.issuesOf(Buffer.from(text), path) : [];
  }
}

/** Whether a text may be a list or an object, by its brackets: nothing else holds several values. */
function mayBeJson(text: string): boolean {
  const trimmed = text.trim();
  return (trimmed.startsWith('{') && trimmed.endsWith('}')) || (trimmed.startsWith('[') && trimmed.endsWith(']'));
}
