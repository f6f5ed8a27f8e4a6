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

/** Types of samples, by whichever of their names. */
const SAMPLED = /^audio\/(?:(?:vnd\.|x-)?wave?|x-pcm|pcm|l16)\b/i;

/** What bytes of no known type are (RFC 2046, section 4.5.1). */
const BYTES = 'application/octet-stream';

/**
 * The media type of audio.
 *
 * @param stated what its provider says; null for nothing
 * @param format in which the provider was asked to speak; undefined for the one that it speaks by itself
 */
export function mediaTypeOf(stated: string | null, format: AudioFormat | undefined): string {
  return stated ?? (format === undefined ? BYTES : MEDIA_TYPES[format]);
}

/** The tokens that audio counts as where no provider counts them (docs/interface/audio.md#cost-of-speech). @param type its media type */
export function audioTokens(type: string, bytes: number): number {
  return Math.ceil(bytes / (SAMPLED.test(type) ? SAMPLED_BYTES_PER_TOKEN : COMPRESSED_BYTES_PER_TOKEN));
}
