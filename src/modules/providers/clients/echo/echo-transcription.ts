import { recordingLength } from '../../../codecs/audio/recording-length.js';
import type { Transcription, TranscriptionRequest } from '../../../codecs/chat/transcription.js';

/** The text that the builtin provider finds in each recording: how large and how long it is (docs/providers.md#echo). */
export function echoTranscription({ file }: TranscriptionRequest): Transcription {
  const seconds = Math.round(recordingLength(file).likely * 1000) / 1000;
  const text = `A recording of ${file.size} bytes, about ${seconds} seconds long.`;
  const segment = { id: 0, seek: 0, start: 0, end: seconds, text };
  return {
    upstreamId: null,
    text,
    details: { task: 'transcribe', language: 'english', duration: seconds, segments: [segment], words: [] },
    seconds,
    usage: null,
  };
}
