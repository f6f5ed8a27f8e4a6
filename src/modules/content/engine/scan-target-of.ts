import type { LongWork } from '../../../limits/long-work.js';
import type { ScannedText } from '../content-result.js';
import { joinOverlapping, replaceSpans } from './redaction.js';
import type { ScanTarget } from './scan-target.js';
import { toolArguments } from './tool-arguments.js';

/**
 * Makes what is scanned of a text. Arguments of a tool call that are not JSON are scanned like other text.
 *
 * @param work lets others use the event loop where the text is long
 * @throws the reason of the work's signal
 */
export async function scanTargetOf({ kind, text }: ScannedText, work: LongWork): Promise<ScanTarget> {
  const target = kind === 'tool_arguments' ? await toolArguments(text, work) : undefined;
  return target ?? { text, redacted: (spans) => replaceSpans(text, joinOverlapping(spans)), placeOf: (span) => span };
}
