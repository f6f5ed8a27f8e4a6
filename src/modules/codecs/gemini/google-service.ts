/** What the services that speak the dialect differ in. */
export interface GoogleService {
  /** Whether calls of functions and their results may have ids. */
  readonly takesCallIds: boolean;
  /** Whether a file at an address needs its media type. */
  readonly demandsMediaTypes: boolean;
  readonly takesLabels: boolean;
  /** Where the tier of service stands: in a field of the body, or in a header. */
  readonly tierPlace: 'body' | 'header';
  /** Whether the probabilities of tokens can be asked for with a stream. */
  readonly streamsProbabilities: boolean;
}

/** The Gemini API (https://ai.google.dev/api/generate-content). */
export const GEMINI_API: GoogleService = {
  takesCallIds: true,
  demandsMediaTypes: false,
  takesLabels: false,
  tierPlace: 'body',
  streamsProbabilities: false,
};

/** Vertex AI, which refuses fields that only the other one knows (https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference). */
export const VERTEX_AI: GoogleService = {
  takesCallIds: false,
  demandsMediaTypes: true,
  takesLabels: true,
  tierPlace: 'header',
  streamsProbabilities: true,
};
