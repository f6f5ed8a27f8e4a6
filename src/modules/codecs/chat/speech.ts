/** A request to speak a text, as a provider gets it. Fields that are not named here are handed on. */
export interface SpeechRequest {
  readonly model: string;
  readonly input: string;
  /** Absent for the one that the provider speaks by itself. */
  readonly response_format?: string;
  readonly [field: string]: unknown;
}

/** A text that is spoken, as it comes. */
export interface SpokenAudio {
  /** The media type with its parameters, where the provider names one of audio; null elsewhere. */
  readonly mediaType: string | null;
  /** The bytes. Leaving the iteration ends the request; one that breaks off throws ProviderError. */
  readonly pieces: AsyncIterable<Uint8Array>;
}
