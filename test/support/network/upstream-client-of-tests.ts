import type { UpstreamDialect } from '../../../src/modules/codecs/upstream-codecs.js';
import { CodecClient } from '../../../src/modules/providers/clients/codec-client.js';
import { FetchedImages } from '../../../src/modules/providers/upstream/fetched-images.js';
import { LoopTurns } from '../../../src/concurrency/loop-turns.js';
import { cloudVariablesOf } from '../../../src/config/cloud-variables.js';
import { readEnvironment } from '../../../src/config/environment.js';
import { VariableReader } from '../../../src/config/variable-reader.js';
import { UpstreamAuthorization } from '../../../src/modules/providers/credentials/upstream-authorization.js';
import { UpstreamClient } from '../../../src/modules/providers/upstream/upstream-client.js';
import { ViaHeader } from '../../../src/modules/providers/upstream/via-header.js';

/** A client of providers. @param variables of the environment, about the token services of clouds */
export function newUpstreamClient(variables: Readonly<Record<string, string>> = {}): UpstreamClient {
  return new UpstreamClient(new LoopTurns(), newAuthorization(variables), newViaHeader(), readEnvironment({}));
}

/** What shows providers who calls them. @param variables of the environment, about the token services of clouds */
export function newAuthorization(variables: Readonly<Record<string, string>> = {}): UpstreamAuthorization {
  return new UpstreamAuthorization({
    clouds: cloudVariablesOf(new VariableReader(variables)),
    egressProxies: undefined,
  });
}

/** The `Via` of a deployment with a key of its own. */
export function newViaHeader(): ViaHeader {
  return new ViaHeader(readEnvironment({}));
}

/** A client of a dialect, which fetches images from public addresses alone. */
export function newCodecClient(dialect: UpstreamDialect, client: UpstreamClient): CodecClient {
  return new CodecClient(dialect, client, new FetchedImages(readEnvironment({})));
}
