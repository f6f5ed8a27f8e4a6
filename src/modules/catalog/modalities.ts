/** What a model can take (the contract's InputModality). */
export const INPUT_MODALITIES = ['text', 'image', 'file', 'audio', 'video'] as const;

/** What a model can give (the contract's OutputModality). */
export const OUTPUT_MODALITIES = [
  'text',
  'image',
  'embeddings',
  'audio',
  'video',
  'rerank',
  'speech',
  'transcription',
] as const;
