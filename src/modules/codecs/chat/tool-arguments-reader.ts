import { parsedIfJson } from '../../../http/input/json-bounds.js';
import { SharedJsonBounds } from '../../../http/input/shared-json-bounds.js';

/**
 * Parses the JSON in the arguments of tool calls, which the bounds of the answer around them do not count. All that one reader parses is
 * bounded together like one request body, so that a client can send back every call that it got.
 */
export class ToolArgumentsReader {
  private readonly bounds = new SharedJsonBounds();

  /** Parses arguments. @returns undefined for text that is not JSON, and for JSON that exceeds a bound together with what was parsed before */
  parse(text: string): unknown {
    return this.bounds.exceededBy(text) === undefined ? parsedIfJson(text) : undefined;
  }
}
