import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { KeysModule } from '../keys/index.js';
import { SignInModule } from '../sign-in/index.js';
import { ConsentController } from './consent.controller.js';
import { ConsentRepository } from './consent.repository.js';
import { ConsentService } from './consent.service.js';

/** The page on which people allow applications to get an API key of theirs (docs/interface/consent.md). */
@Module({
  imports: [AuditModule, KeysModule, SignInModule],
  controllers: [ConsentController],
  providers: [ConsentRepository, ConsentService],
})
export class ConsentModule {}
