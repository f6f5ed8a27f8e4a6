import type { UploadedFile } from '../../../http/input/uploaded-file.js';
import type { TokenUsage } from '../chat/chat-completion.js';
import { countOf, type JsonObject, objectOf, wordOf } from '../chat/json-values.js';
import type { Transcription, TranscriptionRequest } from '../chat/transcription.js';
import { ProviderError } from '../errors/provider-error.js';
import { MultipartForm } from '../multipart-form.js';
import type { EncodedRequest } from '../upstream-codec.js';

/** The ending of a file's name, by which servers know its format. */
const ENDING = /\.([A-Za-z0-9]{1,8})$/;

/** A media type that needs no quotes. */
const MEDIA_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/;

/** The endings of files whose names have none, by their media types. */
const ENDINGS: Readonly<Record<string, string>> = {
  'audio/flac': 'flac',
  'audio/m4a': 'm4a',
  'audio/mp3': 'mp3',
  'audio/mp4': 'mp4',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'audio/x-m4a': 'm4a',
  'audio/x-wav': 'wav',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
};

/** The details of an answer that has them, by their names. */
const DETAILS = ['task', 'language', 'duration', 'segments', 'words', 'confidence'] as const;

/** The longest recording that is believed, in seconds: ten days. */
const MAXIMUM_SECONDS = 864_000;

/** Writes a request in OpenAI's form, which Groq, vLLM, speaches and others take too (docs/interface/audio.md). */
export function transcriptionRequest({ file, ...fields }: TranscriptionRequest): EncodedRequest {
  const texts = Object.entries(fields).map(([name, value]): [string, string | string[]] =>
    Array.isArray(value) ? [`${name}[]`, value.map(textOf)] : [name, textOf(value)],
  );
  return {
    path: '/audio/transcriptions',
    body: new MultipartForm(Object.fromEntries(texts), [
      {
        name: 'file',
        file,
        filename: fileNameOf(file),
        mediaType: MEDIA_TYPE.test(file.mediaType) ? file.mediaType : 'application/octet-stream',
      },
    ]),
  };
}

/** Reads what was said. @throws ProviderError for an answer without a text, or without the speakers that the request asks for */
export function transcriptionOf(document: unknown, { response_format: format }: TranscriptionRequest): Transcription {
  const answer = objectOf(document);
  const text = answer?.['text'];
  if (answer === undefined || typeof text !== 'string') {
    throw new ProviderError('invalid', 'The provider’s answer has no text of the recording.');
  }
  if (format === 'diarized_json' && !saysSpeakers(answer['segments'])) {
    throw new ProviderError('invalid', 'The provider’s answer does not say who speaks.');
  }
  const usage = objectOf(answer['usage']);
  const details = DETAILS.filter((name) => answer[name] !== undefined && answer[name] !== null);
  return {
    upstreamId: wordOf(answer['id']) ?? null,
    text,
    details: Object.fromEntries(
      details.map((name) => [name, name === 'duration' ? secondsOf(answer[name]) : answer[name]]),
    ),
    seconds: secondsOf(usage?.['seconds']) ?? secondsOf(answer['duration']) ?? null,
    usage: tokensOf(usage),
  };
}

/** Where nothing is said, there are no segments. */
function saysSpeakers(segments: unknown): boolean {
  return Array.isArray(segments) && segments.every((one) => typeof objectOf(one)?.['speaker'] === 'string');
}

function tokensOf(usage: JsonObject | undefined): TokenUsage | null {
  const input = countOf(usage?.['input_tokens']) ?? countOf(usage?.['prompt_tokens']);
  const output = countOf(usage?.['output_tokens']) ?? countOf(usage?.['completion_tokens']);
  const audio = countOf(objectOf(usage?.['input_token_details'])?.['audio_tokens']);
  if (input === undefined) return null;
  return {
    prompt_tokens: input,
    completion_tokens: output ?? 0,
    total_tokens: input + (output ?? 0),
    ...(audio !== undefined && { prompt_tokens_details: { audio_tokens: audio } }),
  };
}

/** Some servers write a number as a text. */
function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,9}(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && seconds >= 0 && seconds <= MAXIMUM_SECONDS ? seconds : undefined;
}

/** Only the ending of the client's own name is handed on. */
function fileNameOf({ name, mediaType }: UploadedFile): string {
  const ending = ENDING.exec(name)?.[1]?.toLowerCase() ?? ENDINGS[mediaType];
  return ending === undefined ? 'audio' : `audio.${ending}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
