import { Module } from '@nestjs/common';
import { AnalyzerClient } from './analyzer/analyzer-client.js';
import { ContentService } from './content.service.js';
import { CustomSearch } from './custom/custom-search.js';

/** Content filters of policies, applied to the texts of requests. */
@Module({
  providers: [AnalyzerClient, ContentService, CustomSearch],
  exports: [ContentService],
})
export class ContentModule {}
