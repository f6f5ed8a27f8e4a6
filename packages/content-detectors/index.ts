// What finds personal data, secrets and prompt injections in texts, part by part and without other services.
export { DETECTORS, type DetectorSlug } from './detectors.js';
export { type Reach, READ_BEFORE_MATCH, REACHES } from './reach.js';
export { AsciiSet } from './text/character-kinds.js';
export type { Detector, MatchHandler, Span } from './text/detector.js';
export { matchAt } from './text/sticky-match.js';
export { TextPart } from './text/text-part.js';
export { WordRoom } from './text/words.js';
