import type { IssueWithReason } from '../../../http/errors/issue.js';
import { BODY_BOUNDS, type JsonBounds } from '../../../http/input/json-bounds.js';
import { SharedJsonBounds } from '../../../http/input/shared-json-bounds.js';

const EXCESS_MESSAGES: Readonly<Record<keyof JsonBounds, string>> = {
  depth: `must not be nested deeper than ${BODY_BOUNDS.depth} levels`,
  values: `must not hold more than ${BODY_BOUNDS.values} values, together with the other JSON in texts of the request`,
};

/**
 * The JSON in texts of a request, which the bounds of the body around them do not count. All of it together is bounded like
 * one body (docs/limits.md#inference).
 */
export class EmbeddedJson {
  private readonly bounds = new SharedJsonBounds();

  /** Counts a JSON text. @returns the bound that it exceeds, with those that were counted before */
  issuesOf(json: string, path: string): IssueWithReason[] {
    const excess = this.bounds.exceededBy(json);
    return excess === undefined ? [] : [{ path, message: EXCESS_MESSAGES[excess] }];
  }

  /** The issues of the arguments of a call. Models also write text that is not JSON, which is never parsed, and not counted. */
  issuesOfArguments(text: string, path: string): IssueWithReason[] {
    return mayBeJson(text) ? this.issuesOf(text, path) : [];
  }
}

/** Whether a text may be a list or an object, by its brackets: nothing else holds several values. */
function mayBeJson(text: string): boolean {
  const trimmed = text.trim();
  return (trimmed.startsWith('{') && trimmed.endsWith('}')) || (trimmed.startsWith('[') && trimmed.endsWith(']'));
}
