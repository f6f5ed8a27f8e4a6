import type { OptionedPreferences } from '../../dto/provider-preferences.dto.js';

/** A request to draw images, in whichever form it came. Fields without a value are absent. */
export interface ImageBody {
  readonly model: string;
  readonly prompt: string;
  /** How many images. */
  readonly n: number;
  /** Pixels, as `1024x768`. */
  readonly size?: string;
  /** A tier of sizes, such as `2K`. */
  readonly resolution?: string;
  readonly aspect_ratio?: string;
  readonly quality?: string;
  readonly background?: string;
  readonly output_format?: string;
  readonly output_compression?: number;
  readonly seed?: number;
  /** How many unfinished images a stream shows. */
  readonly partial_images?: number;
  /** The images that are edited or followed: data URLs, or addresses. */
  readonly references: readonly string[];
  /** What of the first reference is edited, as one of them. */
  readonly mask?: string;
  /** Fields of the form of OpenAI that are handed on as they are. */
  readonly further: Readonly<Record<string, unknown>>;
  readonly stream: boolean;
  readonly provider?: OptionedPreferences | null;
  readonly user?: string;
  readonly session_id?: string | null;
  readonly trace?: Readonly<Record<string, unknown>> | null;
}
