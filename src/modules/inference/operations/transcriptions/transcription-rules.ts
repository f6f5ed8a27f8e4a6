import { type IssueWithReason, joinPath } from '../../../../http/errors/issue.js';
import { isObject } from '../../../../http/validation/constraints.js';
import { dataIn } from '../../pipeline/content/media-sources.js';

/** A name of a format, as it stands at the end of a file's name. */
const FORMAT = /^[A-Za-z0-9]{1,8}$/;

/** What base64 has in neither of its alphabets, which stand in lines perhaps. */
const NO_BASE64 = /[^A-Za-z0-9+/_\r\n=-]/;

const LETTER = /[A-Za-z0-9+/_-]/;

/** How many speakers a request can name, with a recording of each. */
export const MOST_SPEAKERS = 4;

/** Speakers are shown by recordings within the request, as data URLs in base64. */
export function speakerRules({ known_speaker_references: list }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown, index) => {
    if (typeof one !== 'string') return [];
    const { start = 0 } = dataIn(one) ?? {};
    const isRecording = start > 0 && !NO_BASE64.test(one.slice(start));
    const path = joinPath('known_speaker_references', index);
    return isRecording ? [] : [{ path, message: 'must be a data URL of a recording in base64' }];
  });
}

/** A transcription comes as a whole, also from providers that have streams of them. */
export function streamRules({ stream }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  return stream === true || stream === 'true' ? [{ path: 'stream', message: 'is not available here' }] : [];
}

/** A recording in JSON is base64 by itself, without the head of a data URL. */
export function recordingRules({ input_audio: audio }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  if (!isObject(audio)) return [];
  const { data, format } = audio;
  const issues: IssueWithReason[] = [];
  if (typeof data === 'string' && (NO_BASE64.test(data) || !LETTER.test(data))) {
    issues.push({ path: 'input_audio.data', message: 'must be base64, without the head of a data URL' });
  }
  if (typeof format === 'string' && !FORMAT.test(format)) {
    issues.push({ path: 'input_audio.format', message: 'must be the name of a format, such as wav or mp3' });
  }
  return issues;
}
