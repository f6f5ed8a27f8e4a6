import { Module } from '@nestjs/common';
import { AnalyzerClient } from './inspectors/presidio/analyzer-client.js';
import { ClassifierClient } from './inspectors/classifier/classifier-client.js';
import { ContentService } from './content.service.js';
import { CustomSearch } from './custom/custom-search.js';
import { PatternSearches } from './custom/pattern-searches.js';

/** Content filters of policies, applied to the texts of requests. */
@Module({
  providers: [AnalyzerClient, ClassifierClient, ContentService, CustomSearch, PatternSearches],
  exports: [ContentService, PatternSearches],
})
export class ContentModule {}
