import { Injectable } from '@nestjs/common';
import { LoopTurns } from '../../concurrency/loop-turns.js';
import { AnswerFilters } from './answers/answer-filters.js';
import { AnalyzerClient } from './inspectors/presidio/analyzer-client.js';
import type { ContentFilters } from './content-filters.js';
import { ClassifierClient } from './inspectors/classifier/classifier-client.js';
import { ContentPolicy } from './content-policy.js';
import { CustomSearch } from './custom/custom-search.js';
import type { ContentEngine } from './engine/compiled-filters.js';

/** Compiles the content filters of policies (docs/interface/content-filters.md). */
@Injectable()
export class ContentService {
  private readonly engine: ContentEngine;

  constructor(customSearch: CustomSearch, analyzer: AnalyzerClient, classifier: ClassifierClient, turns: LoopTurns) {
    this.engine = { turns, customSearch, analyzer, classifier };
  }

  /**
   * Compiles the filters of a policy. Takes a few milliseconds at most; patterns themselves are compiled when they are needed.
   *
   * @param organizationId the organization that the policy belongs to, whose texts take turns with those of others
   */
  compile(organizationId: string, filters: ContentFilters): ContentPolicy {
    return new ContentPolicy(organizationId, filters, this.engine);
  }

  /** Compiles the filters of a policy that apply to answers. */
  compileForAnswers(organizationId: string, filters: ContentFilters): AnswerFilters {
    return AnswerFilters.of(organizationId, filters, this.engine);
  }
}
