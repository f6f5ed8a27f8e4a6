import { BadRequestError } from '../../http/errors/bad-request-error.js';
import type { IssueWithReason } from '../../http/errors/issue.js';

/** Labels by their names: of a key, or of a request (docs/interface/labels.md). */
export type Labels = Readonly<Record<string, string>>;

/** The labels that a workspace allows: by their names some values, or any. */
export type AllowedLabels = Readonly<Record<string, readonly string[] | '*'>>;

/** The most labels that a key has, and that a request names in one place. */
export const MOST_LABELS = 20;

/** The longest value of a label, in characters. */
export const LONGEST_LABEL = 256;

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** The header in which requests name their labels. */
export const LABELS_HEADER = 'X-Labels';

/** Where the labels of a request come from. */
export interface LabelSources {
  /** The labels of its key; null for none. */
  readonly ofKey: Labels | null;
  /** Its header; undefined for none. */
  readonly header: string | undefined;
  /** Its metadata: what in it is no label is passed over. */
  readonly metadata: Readonly<Record<string, unknown>> | null | undefined;
  /** The labels that its workspace allows; null for all. */
  readonly allowed: AllowedLabels | null;
}

/** Whether a text can be the name of a label. */
export function isLabelName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name);
}

/** Whether a text can be the value of a label. */
export function isLabelValue(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_LABEL;
}

/**
 * The labels of a request: those of its key, then those of its header, then those of its metadata, where the first one of a name counts.
 *
 * @returns undefined for none
 * @throws BadRequestError for a header that cannot be read, or names a label that the workspace does not allow
 */
export function labelsOfRequest({ ofKey, header, metadata, allowed }: LabelSources): Labels | undefined {
  const labels = new Map(Object.entries(ofKey ?? {}));
  const notAllowed: IssueWithReason[] = [];
  for (const [name, value] of header === undefined ? [] : labelsOfHeader(header)) {
    if (labels.has(name)) continue;
    if (isAllowed(allowed, name, value)) labels.set(name, value);
    else
      notAllowed.push({ path: LABELS_HEADER, message: `names ${name}=${value}, which the workspace does not allow` });
  }
  if (notAllowed.length > 0) throw BadRequestError.of(notAllowed);
  let left = MOST_LABELS;
  for (const [name, value] of Object.entries(metadata ?? {})) {
    if (left === 0) break;
    if (!isLabelName(name) || !isLabelValue(value) || labels.has(name) || !isAllowed(allowed, name, value)) continue;
    labels.set(name, value);
    left -= 1;
  }
  return labels.size === 0 ? undefined : Object.fromEntries(labels);
}

/** The labels of a header `team=a,env=prod`, whose values are percent-encoded where they need it. @throws BadRequestError */
function labelsOfHeader(header: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const parts = header.split(',').map((part) => part.trim());
  if (parts.length === 1 && parts[0] === '') return labels;
  if (parts.length > MOST_LABELS) throw badHeader(`must not name more than ${MOST_LABELS} labels`);
  for (const part of parts) {
    const [name, value] = labelOf(part);
    if (labels.has(name)) throw badHeader(`names ${name} twice`);
    labels.set(name, value);
  }
  return labels;
}

function labelOf(part: string): readonly [name: string, value: string] {
  const place = part.indexOf('=');
  const name = part.slice(0, Math.max(place, 0)).trim();
  const value = decoded(part.slice(place + 1).trim());
  if (place === -1 || !isLabelName(name)) {
    throw badHeader('must be names and values like team=a,env=prod: names of letters, digits, "_", "." and "-"');
  }
  if (!isLabelValue(value)) {
    throw badHeader(
      `must have 1 to ${LONGEST_LABEL} characters as the value of ${name}, percent-encoded where it needs it`,
    );
  }
  return [name, value];
}

/** @returns undefined for what is not well percent-encoded */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function badHeader(message: string): BadRequestError {
  return BadRequestError.of([{ path: LABELS_HEADER, message }]);
}

function isAllowed(allowed: AllowedLabels | null, name: string, value: string): boolean {
  if (allowed === null) return true;
  const values = Object.hasOwn(allowed, name) ? allowed[name]! : [];
  return values === '*' || values.includes(value);
}
