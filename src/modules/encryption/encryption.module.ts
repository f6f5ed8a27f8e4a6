import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Cipher } from './cipher.js';
import { EncryptedTables } from './encrypted-tables.js';
import { EncryptionReadiness } from './encryption-readiness.js';
import { EncryptionRotationService } from './encryption-rotation.service.js';
import { EncryptionState } from './encryption-state.js';
import { EncryptionStateRepository } from './encryption-state.repository.js';
import { EncryptionStateEntity } from './entities/encryption-state.entity.js';

/** Encryption at rest: of what, with which keys, and their rotation. */
@Module({
  imports: [TypeOrmModule.forFeature([EncryptionStateEntity])],
  providers: [
    Cipher,
    EncryptedTables,
    EncryptionReadiness,
    EncryptionRotationService,
    EncryptionState,
    EncryptionStateRepository,
  ],
  exports: [Cipher, EncryptedTables, EncryptionRotationService, EncryptionState],
})
export class EncryptionModule {}
