import { Module } from '@nestjs/common';
import { UpstreamClient } from '../upstream/upstream-client.js';
import { ProviderClients } from './provider-clients.service.js';

/** Calls providers, whichever dialect they speak. */
@Module({ providers: [ProviderClients, UpstreamClient], exports: [ProviderClients] })
export class ProviderClientsModule {}
