import type { Units } from '../cost/units.js';

/** How large a request is, as far as its cost depends on that. What is absent is none. */
export interface RequestSize {
  /** Of its texts, in UTF-8. */
  readonly bytes: number;
  /** The tokens that it has instead of texts. */
  readonly tokens?: number;
  /** The number of messages or inputs; providers add tokens to each of them. */
  readonly messages: number;
  /** The most that is charged besides tokens; of requests as many as there are searches in it, and else one. */
  readonly units?: Units;
  /** What is likely of these where no provider counts them; absent where that is as much as there can be. */
  readonly likelyUnits?: Units;
  /** How many parts are neither texts nor images: there may be audio in them. */
  readonly recordings?: number;
  /** The estimated tokens of parts that are not texts. */
  readonly mediaTokens?: number;
  /** What the tokens of these parts are where no provider counts them; absent where that is as many as are estimated. */
  readonly likelyMediaTokens?: number;
  /** What it asks for; absent where it is answered without tokens that are charged. */
  readonly answer?: AnswerSize;
  /** Whether a provider is to keep some of it in its cache for an hour. */
  readonly isKeptForAnHour?: boolean;
}

/** How large an answer may be that a request asks for. */
export interface AnswerSize {
  /** The longest answer that the caller wants, in tokens; null where it does not say. */
  readonly namedTokens: number | null;
  /** How many answers it asks for at once; absent for one. */
  readonly choices?: number;
  readonly hasAudio?: boolean;
  readonly hasImages?: boolean;
}
