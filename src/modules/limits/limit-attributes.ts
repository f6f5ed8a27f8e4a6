import type { Labels } from '../labels/labels.js';
import { CANDIDATE_KEYS, LABEL_PREFIX, type LimitKey, TOOL_KEYS } from './limit-vocabulary.js';

/** What limits tell requests apart by, whichever candidate answers; null for what a request lacks. */
export interface RequestAttributes {
  /** SHA-256 of the key, in lowercase hexadecimal. */
  readonly api_key: string;
  readonly workspace: string | null;
  readonly member: string;
  readonly operation: string;
  readonly user: string | null;
  readonly session: string | null;
  readonly labels: Labels;
  /** Of a call of a tool: the name of its MCP server, and `server/tool`; null of what a model is asked. */
  readonly server: string | null;
  readonly tool: string | null;
}

/** What limits tell candidates apart by. */
export interface CandidateAttributes {
  /** The id of the model in the catalog. */
  readonly model: string;
  readonly author: string;
  /** The slug of the provider. */
  readonly provider: string;
}

/** Whether only a candidate tells the value of a key. */
export function isOfCandidates(key: LimitKey): boolean {
  return (CANDIDATE_KEYS as readonly string[]).includes(key);
}

/** Whether only a call of a tool tells the value of a key. */
export function isOfTools(key: LimitKey): boolean {
  return (TOOL_KEYS as readonly string[]).includes(key);
}

/** The name of the label that a key names; undefined for another key. */
export function labelIn(key: string): string | undefined {
  return key.startsWith(LABEL_PREFIX) ? key.slice(LABEL_PREFIX.length) : undefined;
}

/** The value that a request has, or a candidate for it; null for none. @param candidate undefined where only the request is looked at */
export function valueOf(
  key: LimitKey,
  request: RequestAttributes,
  candidate: CandidateAttributes | undefined,
): string | null {
  const label = labelIn(key);
  if (label !== undefined) return Object.hasOwn(request.labels, label) ? request.labels[label]! : null;
  const facts: Readonly<Record<string, unknown>> = isOfCandidates(key) ? { ...candidate } : { ...request };
  return (facts[key] as string | null | undefined) ?? null;
}
