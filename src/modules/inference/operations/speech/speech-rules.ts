import { joinPath, type IssueWithReason } from '../../../../http/errors/issue.js';
import { isObject } from '../../../../http/validation/constraints.js';

/** The longest recording of a voice, in characters of base64, as the public interface has it. */
const MAXIMUM_REFERENCE = 20_971_520;

/** The audio is the body of the answer, not events. */
export function streamFormatRules({ stream_format: format }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  return format === undefined || format === null || format === 'audio'
    ? []
    : [{ path: 'stream_format', message: 'must be audio' }];
}

/** A voice is shown by a recording, and perhaps by what is said in it; an empty list shows none. */
export function referenceRules({ input_references: list }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  if (list === undefined || list === null || (Array.isArray(list) && list.length === 0)) return [];
  if (!Array.isArray(list)) return [{ path: 'input_references', message: 'must be array' }];
  if (list.length > 2) return [{ path: 'input_references', message: 'must NOT have more than 2 items' }];
  const issues = list.flatMap((one: unknown, index) => referenceIssues(one, joinPath('input_references', index)));
  const recordings = list.filter((one: unknown) => isObject(one) && one['type'] === 'input_audio').length;
  if (issues.length > 0 || recordings === 1) return issues;
  return [{ path: 'input_references', message: 'must have one input_audio' }];
}

function referenceIssues(reference: unknown, path: string): IssueWithReason[] {
  if (!isObject(reference)) return [{ path, message: 'must be object' }];
  const { type, text, input_audio: audio } = reference;
  if (type === 'text') {
    return typeof text === 'string' ? [] : [{ path: joinPath(path, 'text'), message: 'must be string' }];
  }
  if (type !== 'input_audio') return [{ path: joinPath(path, 'type'), message: 'must be one of: input_audio, text' }];
  const data = isObject(audio) ? audio['data'] : undefined;
  if (typeof data !== 'string' || data === '') return [{ path: `${path}.input_audio.data`, message: 'must be string' }];
  return data.length > MAXIMUM_REFERENCE
    ? [{ path: `${path}.input_audio.data`, message: `must NOT have more than ${MAXIMUM_REFERENCE} characters` }]
    : [];
}
