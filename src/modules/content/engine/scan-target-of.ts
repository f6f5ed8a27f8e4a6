import type { ScannedText } from '../content-result.js';
import { joinOverlapping, replaceSpans } from './redaction.js';
import type { ScanTarget } from './scan-target.js';
import { toolArguments } from './tool-arguments.js';

/** Makes what is scanned of a text. Arguments of a tool call that are not JSON are scanned like other text. */
export function scanTargetOf({ kind, text }: ScannedText): ScanTarget {
  const target = kind === 'tool_arguments' ? toolArguments(text) : undefined;
  return target ?? { text, redacted: (spans) => replaceSpans(text, joinOverlapping(spans)), placeOf: (span) => span };
}
