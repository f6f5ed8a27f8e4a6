import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Readiness } from '../../http/health/readiness.js';
import { EncryptionState } from './encryption-state.js';

/** A process that has another key than its database is not ready: it could not read what others write, nor they it. */
@Injectable()
export class EncryptionReadiness implements OnModuleInit {
  constructor(
    private readonly readiness: Readiness,
    private readonly state: EncryptionState,
  ) {}

  onModuleInit(): void {
    this.readiness.require('encryption', async () => ((await this.state.check()).fits ? undefined : 'key_mismatch'));
  }
}
