import type { IssueWithReason } from '../../../http/errors/issue.js';
import { inspectText } from '../../../http/input/text-inspection.js';
import { carriedJson, parsedReasoningDetails } from '../../codecs/chat/carried-reasoning.js';
import type { EmbeddedJson } from './embedded-json.js';
import { reasoningDetailIssues } from './call-rules.js';

/** Lets others use the event loop before a large text is looked at. */
export type TakeTurn = (text: { readonly length: number }) => Promise<void>;

/**
 * What is wrong with details of reasoning that a text carries: they are bounded with the other JSON of the request, and checked as
 * a body and as details are. A text of another origin has no issues.
 */
export async function carriedReasoningIssues(
  text: string,
  path: string,
  { json, turn }: { readonly json: EmbeddedJson; readonly turn: TakeTurn },
): Promise<IssueWithReason[]> {
  await turn(text);
  const carried = carriedJson(text);
  if (carried === undefined) return [];
  const excess = json.issuesOf(carried, path);
  await turn(carried);
  // What exceeds a bound is not parsed.
  return excess.length > 0 ? excess : detailsIssues(carried, path);
}

/** What is wrong with the texts in details, and with their form: the first of it, because clients know no fields in the text. */
function detailsIssues(carried: string, path: string): IssueWithReason[] {
  const details = parsedReasoningDetails(carried);
  const [issue] = [...inspectText(details), ...reasoningDetailIssues(details, path)];
  return issue === undefined ? [] : [{ path, message: issue.message }];
}
