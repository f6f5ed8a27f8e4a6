import type { LongWork } from '../../../concurrency/long-work.js';
import type { ScannedText } from '../content-result.js';
import type { Span } from '../../../../packages/content-detectors/index.js';
import { joinOverlapping, type RedactedSpan, replaceSpans } from './redaction.js';
import type { ScanTarget } from './scan-target.js';
import { toolArguments } from './tool-arguments.js';

/**
 * Makes what is scanned of a text. Arguments of a tool call that are not JSON are scanned like other text.
 *
 * @param work lets others use the event loop where the text is long
 * @throws the reason of the work's signal
 */
export async function scanTargetOf({ kind, text, lead = '' }: ScannedText, work: LongWork): Promise<ScanTarget> {
  const target = kind === 'tool_arguments' ? await toolArguments(text, work) : undefined;
  if (target !== undefined) return target;
  // Only what is behind the lead is a part of the text.
  const placeOf = <Place extends Span>(span: Place): Place => ({
    ...span,
    start: Math.max(span.start - lead.length, 0),
    end: span.end - lead.length,
  });
  const redacted = (spans: readonly RedactedSpan[]): string => replaceSpans(text, joinOverlapping(spans.map(placeOf)));
  return { text: lead + text, leadLength: lead.length, redacted, placeOf };
}
