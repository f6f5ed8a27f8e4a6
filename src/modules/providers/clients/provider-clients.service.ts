import { Injectable } from '@nestjs/common';
import type { ProviderProtocolName } from '../../../config/provider-variables.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import { isModelFor, OPERATION_NAMES } from '../../../telemetry/operations.js';
import { CODECS, type UpstreamDialect } from '../../codecs/upstream-codecs.js';
import { FetchedImages } from '../upstream/fetched-images.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import { CodecClient } from './codec-client.js';
import { EchoClient } from './echo/echo-client.js';
import type { ProviderClient } from './provider-client.js';

/** The clients of providers by the names of the protocols that connections have. */
@Injectable()
export class ProviderClients {
  private readonly clients: ReadonlyMap<ProviderProtocolName, ProviderClient>;

  constructor(client: UpstreamClient, turns: LoopTurns, fetched: FetchedImages) {
    const dialects = Object.keys(CODECS) as UpstreamDialect[];
    this.clients = new Map<ProviderProtocolName, ProviderClient>([
      ...dialects.map((dialect) => [dialect, new CodecClient(dialect, client, fetched)] as const),
      ['echo', new EchoClient(turns)],
    ]);
  }

  /** @returns the client of a protocol */
  of(protocol: ProviderProtocolName): ProviderClient {
    return this.clients.get(protocol)!;
  }

  /** Whether there is an operation that a protocol has and a model with these outputs is one for. */
  serves(protocol: ProviderProtocolName, outputs: readonly string[]): boolean {
    const client = this.of(protocol);
    return OPERATION_NAMES.some((name) => isModelFor(name, outputs) && client.has(name));
  }
}
