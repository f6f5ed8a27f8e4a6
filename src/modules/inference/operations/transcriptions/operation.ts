import { UploadedFile } from '../../../../http/input/uploaded-file.js';
import { namesSpeakers } from '../../../catalog/named-speakers.js';
import type { AnswerUsage } from '../../../codecs/client-codec.js';
import { recordingLength, type RecordingLength } from '../../../codecs/audio/recording-length.js';
import type {
  Transcription,
  TranscriptionRequest as UpstreamTranscriptionRequest,
} from '../../../codecs/chat/transcription.js';
import { withoutFields } from '../../../codecs/chat/messages-fields.js';
import type { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import { timedOut } from '../../inference.errors.js';
import type { CountedResult, FilterTexts } from '../../pipeline/answer/result-answer.service.js';
import { RequestTexts } from '../../pipeline/content/fields/request-texts.js';
import { dataIn } from '../../pipeline/content/media-sources.js';
import { hidesTextInRecording } from '../../pipeline/content/hidden-text.js';
import { likelyUse } from '../../pipeline/cost/compared-price.js';
import { countedBytes, estimatedTokens } from '../../pipeline/cost/estimated-tokens.js';
import type { Candidate } from '../../pipeline/request/candidate.js';
import type { Exchange } from '../../pipeline/request/exchange.js';
import type { DocumentOperation } from '../document-operations.service.js';
import { fieldsWithOptions } from '../../pipeline/request/provider-options.js';
import type { RequestSize } from '../../pipeline/request/request-size.js';
import type { TranscriptionFields, TranscriptionForm } from './dto/transcription-fields.dto.js';
import type { TranscriptionRequest } from './dto/transcription-request.dto.js';
import type { TranscriptionResponse } from './dto/transcription-response.dto.js';
import {
  known,
  listOf,
  NUMBER_OR_BOOLEAN,
  oneOf,
  TEXT,
  unscanned,
  OPTIONED_PREFERENCES,
} from '../../pipeline/content/fields/field-readers.js';
import { CHECKED_WORD, requestWith } from '../../pipeline/content/fields/request-fields.js';

/** The fields of a request to write down a recording, which is not looked into. */
const TRANSCRIPTION_REQUEST = requestWith(
  known({
    file: unscanned(() => true),
    prompt: TEXT,
    language: TEXT,
    temperature: NUMBER_OR_BOOLEAN,
    response_format: CHECKED_WORD,
    known_speaker_names: listOf(TEXT),
    // Recordings, which are not looked into either.
    known_speaker_references: unscanned((list) => Array.isArray(list)),
    timestamp_granularities: listOf(oneOf('word', 'segment')),
    provider: OPTIONED_PREFERENCES,
  }),
);

/** A request to write down a recording, in whichever form it came. */
export type TranscriptionBody = TranscriptionFields & { readonly file: UploadedFile };

/** The tokens of a second of a recording: usual ones, and the most that models count. */
const USUAL_TOKENS_PER_SECOND = 10;
const MOST_TOKENS_PER_SECOND = 32;

/** The tokens of what is said in a second: usual ones, the most, and those of an answer besides. */
const USUAL_SPOKEN_TOKENS_PER_SECOND = 3;
const SPOKEN_TOKENS_PER_SECOND = 8;
const FURTHER_ANSWER_TOKENS = 256;

const TEXTS = new RequestTexts<TranscriptionBody>(TRANSCRIPTION_REQUEST, 'input');

interface Transcribed extends CountedResult {
  readonly text: string;
  readonly answer: Transcription;
}

/** Recordings that are written down (docs/interface/audio.md). */
export const TRANSCRIPTIONS: DocumentOperation<TranscriptionBody, 'transcription', Transcribed, TranscriptionResponse> =
  {
    name: 'transcription',
    absence: 'The protocol of the provider has no transcriptions.',
    requestFor,
    reportOf: ({ usage, upstreamId }) => ({ upstreamId, usage }),
    resultOf: (answer) => {
      const { upstreamId, usage, text, seconds } = answer;
      return { upstreamId, usage, text, answer, ...(seconds !== null && { units: { second: seconds } }) };
    },
    documentOf: answerOf,
    filtered: filteredOf,
    failureOf: timedOut,
    isCached: false,
    mediaOf: () => ({ images: 0, recordings: 1 }),
    modelNamesOf: ({ model }) => [model],
    texts: TEXTS,
    hidesText: ({ file, known_speaker_references: voices }, work) => hidesTextInRecording(file, voices ?? [], work),
    promptBytesOf: ({ prompt }) => countedBytes(prompt ?? ''),
    sizeOf,
    usageBoundsOf: (body) => {
      const { bytes, mediaTokens = 0, answer } = sizeOf(body);
      return { prompt: mediaTokens + bytes, completion: answer?.namedTokens ?? 0 };
    },
    // It is as long as what is said.
    withLongestAnswer: (body) => body,
    conversationHintsOf: () => undefined,
    loggedInputOf: ({ prompt }) => ({ prompt: prompt ?? '' }),
    needsOf: ({ response_format: format }) => ({
      promptTokens: 0,
      maxTokens: null,
      inputModalities: new Set(),
      outputModalities: new Set(['transcription']),
      usesTools: false,
      parameters: new Set(),
      preferredParameters: new Set(),
      isAble: (endpoint, model) => format !== 'diarized_json' || namesSpeakers(model, endpoint),
    }),
    likelyUseOf: (body) => {
      const { likelyMediaTokens: heard = 0, likelyUnits: units = {} } = sizeOf(body);
      return likelyUse(
        heard + estimatedTokens(countedBytes(body.prompt ?? '')),
        Math.ceil((units.second ?? 0) * USUAL_SPOKEN_TOKENS_PER_SECOND),
        units,
        { prompt_tokens_details: { audio_tokens: heard } },
      );
    },
  };

/** What a request says: with the recording as a file, also where it came within JSON. */
export function transcriptionBodyOf(input: TranscriptionForm | TranscriptionRequest): TranscriptionBody {
  if (!('input_audio' in input)) return input;
  const { input_audio: audio, ...fields } = input as TranscriptionRequest;
  const format = audio.format.toLowerCase();
  const bytes = Buffer.from(audio.data, 'base64');
  return { ...fields, file: new UploadedFile(`audio.${format}`, `audio/${format}`, [bytes], bytes.length) };
}

/** What says when each part of the text was spoken: of a text that has changed, it would be something else. */
const PLACED_TEXTS: ReadonlySet<string> = new Set(['words', 'segments']);

async function filteredOf(result: Transcribed, filter: FilterTexts): Promise<Transcribed> {
  const { answer } = result;
  const [text, details] = await filter([
    { place: 'response', kind: 'text', text: answer.text },
    { place: 'response', kind: 'tool_arguments', text: JSON.stringify(answer.details) },
  ]);
  const said = JSON.parse(details!) as Transcription['details'];
  const shown = text === answer.text ? said : withoutFields(said, PLACED_TEXTS);
  return { ...result, text: text!, answer: { ...answer, text: text!, details: shown } };
}

function requestFor(
  body: TranscriptionBody,
  candidate: Candidate,
  adjustments: RequestAdjustments,
): UpstreamTranscriptionRequest {
  return {
    ...fieldsWithOptions(body, candidate, adjustments),
    file: body.file,
    response_format: body.response_format ?? 'json',
    model: candidate.upstreamModel,
  };
}

function sizeOf(body: TranscriptionBody): RequestSize {
  const length = recordingLength(body.file);
  const heard = [length, ...(body.known_speaker_references ?? []).map(lengthOfVoice)];
  return {
    bytes: TEXTS.promptBytesIn(body),
    messages: 1,
    recordings: 1,
    mediaTokens: Math.ceil(secondsIn(heard, 'most') * MOST_TOKENS_PER_SECOND),
    likelyMediaTokens: Math.ceil(secondsIn(heard, 'likely') * USUAL_TOKENS_PER_SECOND),
    units: { second: length.most },
    likelyUnits: { second: length.likely },
    answer: { namedTokens: Math.ceil(length.most * SPOKEN_TOKENS_PER_SECOND) + FURTHER_ANSWER_TOKENS },
  };
}

/** The head of a file that says how long it is, in characters of base64. */
const HEAD_CHARACTERS = 128;

/** The length of a recording in a data URL, of which only the head is decoded. */
function lengthOfVoice(url: string): RecordingLength {
  const { start = 0 } = dataIn(url) ?? {};
  const head = Buffer.from(url.slice(start, start + HEAD_CHARACTERS), 'base64');
  return recordingLength(new UploadedFile('', '', [head], Math.floor(((url.length - start) * 3) / 4)));
}

function secondsIn(recordings: readonly RecordingLength[], length: keyof RecordingLength): number {
  return recordings.reduce((sum, one) => sum + one[length], 0);
}

/** In the short form only the text, in others what the provider says besides. */
function answerOf(
  { answer: { text, details, seconds, usage: counted } }: Transcribed,
  { decision: { sent: body } }: Exchange<TranscriptionBody>,
  _candidate: Candidate,
  { cost, is_byok: isByok, cost_details: costs }: AnswerUsage,
): TranscriptionResponse {
  const { response_format: format, file } = body;
  const { likely, most } = recordingLength(file);
  const length = seconds ?? (likely === most ? likely : undefined);
  const audio = counted?.prompt_tokens_details?.audio_tokens;
  return {
    text,
    // Clients of OpenAI require both of an answer with speakers.
    ...(format === 'diarized_json' && { task: 'transcribe', duration: length ?? likely }),
    ...(format !== undefined && format !== null && format !== 'json' && details),
    usage: {
      ...((counted !== null || length !== undefined) && { type: counted === null ? 'duration' : 'tokens' }),
      ...(length !== undefined && { seconds: length }),
      ...(counted !== null && {
        total_tokens: counted.total_tokens,
        input_tokens: counted.prompt_tokens,
        ...(audio !== undefined && {
          input_token_details: { audio_tokens: audio, text_tokens: Math.max(0, counted.prompt_tokens - audio) },
        }),
        output_tokens: counted.completion_tokens,
      }),
      cost,
      is_byok: isByok,
      cost_details: costs,
    },
  };
}
