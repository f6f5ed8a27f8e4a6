import type { ApiDialect } from '../../../../config/environment.js';

/** The formats that a text can be spoken in, with their media types. */
const MEDIA_TYPES = {
  pcm: 'audio/pcm',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  opus: 'audio/opus',
  aac: 'audio/aac',
} as const;

/** A format that a text can be spoken in. */
export type AudioFormat = keyof typeof MEDIA_TYPES;

/** The formats that a text can be spoken in. */
export const AUDIO_FORMATS = Object.keys(MEDIA_TYPES) as AudioFormat[];

/** The format of a request that names none: what clients of OpenAI expect, or what the public interface has (docs/interface/conventions.md#dialects). */
export const DEFAULT_FORMATS: Readonly<Record<ApiDialect, AudioFormat>> = { specification: 'mp3', public: 'pcm' };

/** What the builtin provider speaks where no format is named: it makes samples alone. */
export const BUILTIN_FORMAT: AudioFormat = 'pcm';

export const AUDIO_TYPES: readonly string[] = Object.values(MEDIA_TYPES);

/** The bytes of a token of audio, of 50 ms: of samples of 16 bits, 24,000 a second, and of compressed audio of 128 kbit/s. */
const SAMPLED_BYTES_PER_TOKEN = 2_400;
const COMPRESSED_BYTES_PER_TOKEN = 800;

/** The media type of a format. */
export function mediaTypeOfFormat(format: AudioFormat): string {
  return MEDIA_TYPES[format];
}

/** The tokens that audio counts as where no provider counts them (docs/interface/audio.md#cost-of-speech). */
export function audioTokens(format: AudioFormat, bytes: number): number {
  const isSampled = format === 'pcm' || format === 'wav';
  return Math.ceil(bytes / (isSampled ? SAMPLED_BYTES_PER_TOKEN : COMPRESSED_BYTES_PER_TOKEN));
}
