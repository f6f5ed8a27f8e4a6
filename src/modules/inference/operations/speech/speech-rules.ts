import { joinPath, type IssueWithReason } from '../../../../http/errors/issue.js';
import { isObject } from '../../../../http/validation/constraints.js';

/** The longest recording of a voice, in characters of base64, as the public interface has it. */
export const MAXIMUM_REFERENCE = 20_971_520;

/** The longest name of a voice, in characters. */
export const LONGEST_VOICE = 400;

/** A voice is named, or is one that was made at the provider: clients of OpenAI have an object with its id then. */
export function voiceRules({ voice }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  if (voice === undefined || voice === null) return [];
  const [path, name] = isObject(voice) ? ['voice.id', voice['id']] : ['voice', voice];
  const isName = typeof name === 'string' && name !== '' && name.length <= LONGEST_VOICE;
  return isName ? [] : [{ path, message: `must be a text of 1 to ${LONGEST_VOICE} characters` }];
}

/** The audio is the body of the answer, not events. */
export function streamFormatRules({ stream_format: format }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  return format === undefined || format === null || format === 'audio'
    ? []
    : [{ path: 'stream_format', message: 'must be audio' }];
}

/** A voice is shown by a recording, and perhaps by what is said in it; an empty list shows none. */
export function referenceRules({ input_references: list }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  if (!Array.isArray(list) || list.length === 0) return [];
  const issues = list.flatMap((one: unknown, index) => {
    if (!isObject(one) || (one['type'] !== 'input_audio' && one['type'] !== 'text')) return [];
    const { type } = one;
    const path = joinPath(joinPath('input_references', index), type);
    return one[type] === undefined ? [{ path, message: `is required with the type ${type}` }] : [];
  });
  const recordings = list.filter((one: unknown) => isObject(one) && one['type'] === 'input_audio').length;
  return recordings === 1 ? issues : [...issues, { path: 'input_references', message: 'must have one input_audio' }];
}
