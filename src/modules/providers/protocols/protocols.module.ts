import { Module } from '@nestjs/common';
import { UpstreamClient } from '../upstream/upstream-client.js';
import { AnthropicProtocol } from './anthropic/anthropic-protocol.js';
import { EchoProtocol } from './echo/echo-protocol.js';
import { OpenAiProtocol } from './openai/openai-protocol.js';
import { ProviderProtocols } from './provider-protocols.js';

/** The protocols that providers speak. */
@Module({
  providers: [AnthropicProtocol, EchoProtocol, OpenAiProtocol, ProviderProtocols, UpstreamClient],
  exports: [ProviderProtocols],
})
export class ProtocolsModule {}
