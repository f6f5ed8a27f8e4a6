import { Injectable } from '@nestjs/common';
import type { ProviderProtocolName } from '../../config/provider-variables.js';
import { AnthropicProtocol } from './anthropic-messages/codec.js';
import { EchoProtocol } from './echo/codec.js';
import { OpenAiProtocol } from './openai-chat/codec.js';
import { answersChats, makesEmbeddings } from './model-outputs.js';
import { hasEmbeddings, type ProviderProtocol } from './upstream-codec.js';

/** The protocols by the names that connections of providers have for them. */
@Injectable()
export class ProviderProtocols {
  private readonly protocols: Readonly<Record<ProviderProtocolName, ProviderProtocol>>;

  constructor(openai: OpenAiProtocol, anthropic: AnthropicProtocol, echo: EchoProtocol) {
    this.protocols = { openai, anthropic, echo };
  }

  /** @returns the protocol of a name */
  of(name: ProviderProtocolName): ProviderProtocol {
    return this.protocols[name];
  }

  /** Whether there is an operation that a protocol has and a model with these outputs is one for. */
  serves(name: ProviderProtocolName, outputs: readonly string[]): boolean {
    return answersChats(outputs) || (makesEmbeddings(outputs) && hasEmbeddings(this.of(name)));
  }
}
