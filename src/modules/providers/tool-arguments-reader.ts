import { parsedIfJson } from '../../api/input/json-bounds.js';
import { SharedJsonBounds } from '../../api/input/shared-json-bounds.js';

/**
 * The JSON in the arguments of calls of tools, of which the bounds of their answer count nothing. All that one of these parses may
 * hold as much as a body together: what a client gets it can hand back.
 */
export class ToolArgumentsReader {
  private readonly bounds = new SharedJsonBounds();

  /** Parses arguments. @returns undefined for what exceeds a bound, with what was parsed before, and for what is no JSON */
  parse(text: string): unknown {
    return this.bounds.exceededBy(Buffer.from(text)) === undefined ? parsedIfJson(text) : undefined;
  }
}
