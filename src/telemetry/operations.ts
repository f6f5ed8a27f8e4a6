/**
 * The operations of inference by the names that OpenTelemetry's conventions, traces and destinations have for them: the one list, from
 * which all other names are derived.
 *
 * `record` is the type that records and reservations have (`api_type` of the interface); `outputs` are those of which a model has one
 * that is for the operation.
 */
export const OPERATIONS = {
  chat: { record: 'completions', outputs: ['text', 'image', 'audio'] },
  embeddings: { record: 'embeddings', outputs: ['embeddings'] },
  rerank: { record: 'rerank', outputs: ['rerank'] },
  speech: { record: 'tts', outputs: ['speech'] },
  transcription: { record: 'stt', outputs: ['transcription'] },
  image: { record: 'image', outputs: ['image'] },
  moderation: { record: 'moderations', outputs: ['moderation'] },
} as const satisfies Readonly<Record<string, { readonly record: string; readonly outputs: readonly string[] }>>;

/** The name of an operation. */
export type OperationName = keyof typeof OPERATIONS;

/** The type of an operation of inference in records. */
export type InferenceRecord = (typeof OPERATIONS)[OperationName]['record'];

/** The type in records of what clients ask of MCP servers, which no model answers. */
export const MCP_RECORD = 'mcp';

/** The type of a record. */
export type RecordedType = InferenceRecord | typeof MCP_RECORD;

export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

const INFERENCE_RECORDS: readonly InferenceRecord[] = OPERATION_NAMES.map((name) => OPERATIONS[name].record);

export const RECORDED_TYPES: readonly RecordedType[] = [...INFERENCE_RECORDS, MCP_RECORD];

/** The outputs of models that are for operations. */
export const OPERATION_OUTPUTS: readonly string[] = OPERATION_NAMES.flatMap((name) => OPERATIONS[name].outputs);

const NAMES = new Map<InferenceRecord, OperationName>(OPERATION_NAMES.map((name) => [OPERATIONS[name].record, name]));

/** The operation of a record. */
export function operationOfRecord(type: InferenceRecord): OperationName {
  return NAMES.get(type)!;
}

/** Whether a model is one for an operation, by its outputs. */
export function isModelFor(operation: OperationName, outputs: readonly string[]): boolean {
  const ofOperation: readonly string[] = OPERATIONS[operation].outputs;
  return outputs.some((output) => ofOperation.includes(output));
}
