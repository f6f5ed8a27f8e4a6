import type { UploadedFile } from '../../../http/input/uploaded-file.js';

/** How long a recording is, in seconds, as far as its file says it. */
export interface RecordingLength {
  readonly likely: number;
  readonly most: number;
}

/** The bytes of a second of compressed audio: 128 kbit/s, which is usual, and 16 kbit/s, below which no speech is recorded as a rule. */
const USUAL_BYTES_PER_SECOND = 16_000;
const FEWEST_BYTES_PER_SECOND = 2_000;

/** The usual head of a WAV file, whose first part is its format, and how much of it is looked at, in bytes. */
const HEAD = 44;
const FORMAT = 36;

/** The samples of WAV files: whole numbers, fractions, A-law, mu-law, and those that say it further down. */
const PLAIN_SAMPLES: ReadonlySet<number> = new Set([1, 3, 6, 7, 0xfffe]);

/** The length of a recording: exact for a WAV file of plain samples, else by the size of the file (docs/interface/audio.md#cost). */
export function recordingLength(file: UploadedFile): RecordingLength {
  const exact = secondsOfWav(file);
  return exact === undefined
    ? { likely: file.size / USUAL_BYTES_PER_SECOND, most: file.size / FEWEST_BYTES_PER_SECOND }
    : { likely: exact, most: exact };
}

/** @returns undefined for what is no such file, or has a head that contradicts itself */
function secondsOfWav(file: UploadedFile): number | undefined {
  const head = file.head(FORMAT);
  if (head.length < FORMAT || head.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (head.toString('latin1', 8, 16) !== 'WAVEfmt ') return undefined;
  const channels = head.readUInt16LE(22);
  const samplesPerSecond = head.readUInt32LE(24);
  const bytesPerSecond = head.readUInt32LE(28);
  const bytesOfSample = (channels * head.readUInt16LE(34)) / 8;
  const isPlain = PLAIN_SAMPLES.has(head.readUInt16LE(20)) && bytesOfSample > 0 && samplesPerSecond > 0;
  if (!isPlain || head.readUInt16LE(32) !== bytesOfSample || bytesPerSecond !== samplesPerSecond * bytesOfSample) {
    return undefined;
  }
  return Math.max(0, file.size - HEAD) / bytesPerSecond;
}
