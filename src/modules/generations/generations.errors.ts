import { defineError } from '../../api/errors/define-error.js';

/** The organization has no such generation, or the caller may not see it. */
export class GenerationNotFound extends defineError(404, 'generation_not_found') {}
