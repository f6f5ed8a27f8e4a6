import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { FetchedImages } from '../upstream/fetched-images.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import { ViaHeader } from '../upstream/via-header.js';
import { ProviderClients } from './provider-clients.service.js';

/** Calls providers, whichever dialect they speak. */
@Module({
  imports: [CredentialsModule],
  providers: [ProviderClients, UpstreamClient, FetchedImages, ViaHeader],
  exports: [ProviderClients, ViaHeader],
})
export class ProviderClientsModule {}
