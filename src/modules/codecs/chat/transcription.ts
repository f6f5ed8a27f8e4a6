import type { UploadedFile } from '../../../http/input/uploaded-file.js';
import type { TokenUsage } from './chat-completion.js';
import type { JsonObject } from './json-object.js';

/** The forms of an answer. */
export const TRANSCRIPTION_FORMATS = ['json', 'verbose_json', 'diarized_json'] as const;

export type TranscriptionFormat = (typeof TRANSCRIPTION_FORMATS)[number];

/** A request to write down a recording, as a provider gets it. Fields that are not named here are handed on. */
export interface TranscriptionRequest {
  readonly model: string;
  readonly file: UploadedFile;
  readonly response_format: TranscriptionFormat;
  readonly [field: string]: unknown;
}

/** What was said in a recording, as a provider has written it down. */
export interface Transcription {
  readonly upstreamId: string | null;
  readonly text: string;
  /** What the provider says besides, where it was asked for that: the language, segments (with `diarized_json` each with its speaker), words. */
  readonly details: JsonObject;
  /** The length of the recording in seconds, as the provider counts it; null where it does not say. */
  readonly seconds: number | null;
  /** Null where the provider counts no tokens. */
  readonly usage: TokenUsage | null;
}
