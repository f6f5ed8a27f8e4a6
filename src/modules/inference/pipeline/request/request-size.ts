import type { RecordingLength } from '../../../codecs/index.js';

/** How large a request is, as far as its cost depends on that. */
export interface RequestSize {
  /** Of its texts, in UTF-8. */
  readonly bytes: number;
  /** The tokens that it has instead of texts. */
  readonly tokens: number;
  /** The number of messages or inputs; providers add tokens to each of them. */
  readonly messages: number;
  /** How many times it is charged the price of a request: as often as there are searches in it, and else once. */
  readonly requests: number;
  /** How many parts are images. */
  readonly images: number;
  /** How many parts are neither texts nor images: there may be audio in them. */
  readonly recordings: number;
  /** The estimated tokens of parts that are not texts. */
  readonly mediaTokens: number;
  /** What the tokens of these parts are where no provider counts them; absent where that is as many as are estimated. */
  readonly likelyMediaTokens?: number;
  /** The characters of a text that is spoken, which are charged; absent for none. */
  readonly characters?: number;
  /** The length of a recording that is charged by the second; absent for what is none. */
  readonly recordingLength?: RecordingLength;
  /** The longest answer that the caller wants, in tokens; null where it does not say. */
  readonly namedTokens: number | null;
  /** How many answers it asks for at once. */
  readonly choices: number;
  /** Whether it is answered with tokens that are charged. */
  readonly hasAnswer: boolean;
  /** Whether it asks for an answer with audio. */
  readonly answersWithAudio: boolean;
  /** Whether it asks for an answer with images. */
  readonly answersImages: boolean;
  /** Whether a provider is to keep some of it in its cache for an hour. */
  readonly isKeptForAnHour: boolean;
}
