import { defineError } from '../../http/errors/define-error.js';

/** The organization has no such generation, or the caller may not see it. */
export class GenerationNotFound extends defineError(404, 'generation_not_found') {}

/** The content of the generation is not kept: its workspace does not have it logged, or it was refused before it was scanned. */
export class GenerationContentNotFound extends defineError(404, 'generation_content_not_found') {}
