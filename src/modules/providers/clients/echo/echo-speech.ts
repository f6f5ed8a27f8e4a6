import { ProviderError } from '../../../codecs/errors/provider-error.js';
import type { SpeechRequest, SpokenAudio } from '../../../codecs/chat/speech.js';

/** Samples of 16 bits, as most providers speak. */
const SAMPLES_PER_SECOND = 24_000;
const BYTES_OF_SAMPLE = 2;

/** How long the tone of a character is, in samples (50 ms), and how many characters are heard at most. */
const SAMPLES_OF_CHARACTER = 1_200;
const MOST_CHARACTERS = 200;

/** The tone: how many samples a wave has (400 Hz), and how loud it is. */
const SAMPLES_OF_WAVE = 60;
const AMPLITUDE = 8_000;

/** The tone of the builtin provider: 50 ms for each character, for ten seconds at most (docs/providers.md#echo). */
export function echoSpeech({ input, response_format: format }: SpeechRequest): SpokenAudio {
  if (format !== 'pcm' && format !== 'wav') {
    throw new ProviderError('refused', 'The builtin provider speaks only pcm and wav.', { status: 400 });
  }
  const characters = Math.min([...input].length, MOST_CHARACTERS);
  const tone = toneOf(characters * SAMPLES_OF_CHARACTER);
  return format === 'pcm'
    ? { mediaType: `audio/pcm;rate=${SAMPLES_PER_SECOND};channels=1`, pieces: inTurn([tone]) }
    : { mediaType: 'audio/wav', pieces: inTurn([wavHead(tone.length), tone]) };
}

function toneOf(samples: number): Buffer {
  const tone = Buffer.alloc(samples * BYTES_OF_SAMPLE);
  for (let sample = 0; sample < samples; sample += 1) {
    const phase = (2 * Math.PI * (sample % SAMPLES_OF_WAVE)) / SAMPLES_OF_WAVE;
    tone.writeInt16LE(Math.round(AMPLITUDE * Math.sin(phase)), sample * BYTES_OF_SAMPLE);
  }
  return tone;
}

/** The head of a WAV file of one channel. @param length of its samples in bytes */
function wavHead(length: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  head.writeUInt32LE(SAMPLES_PER_SECOND * BYTES_OF_SAMPLE, 28);
  head.writeUInt16LE(BYTES_OF_SAMPLE, 32);
  head.writeUInt16LE(8 * BYTES_OF_SAMPLE, 34);
  head.write('data', 36);
  head.writeUInt32LE(length, 40);
  return head;
}

async function* inTurn(pieces: readonly Buffer[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}
