import { Module } from '@nestjs/common';
import { UpstreamClient } from '../providers/upstream/upstream-client.js';
import { AnthropicProtocol } from './anthropic-messages/codec.js';
import { EchoProtocol } from './echo/codec.js';
import { OpenAiProtocol } from './openai-chat/codec.js';
import { ProviderProtocols } from './upstream-codecs.js';

/** The protocols that providers speak. */
@Module({
  providers: [AnthropicProtocol, EchoProtocol, OpenAiProtocol, ProviderProtocols, UpstreamClient],
  exports: [ProviderProtocols],
})
export class ProtocolsModule {}
