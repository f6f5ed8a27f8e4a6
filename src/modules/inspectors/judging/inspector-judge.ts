import { Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { FairQueue } from '../../../concurrency/fair-queue.js';
import { Environment } from '../../../config/environment.js';
import { AllowedAddresses } from '../../../http/addresses/allowed-addresses.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { Metrics } from '../../../telemetry/metrics/metrics.js';
import { InspectorFailure, withinTime } from '../../content/inspectors/remote-inspection.js';
import { InspectionServers, REMOTE_QUEUE } from '../../content/inspectors/remote-request.js';
import { withConfiguredHeaders } from '../../observability/delivery/configured-settings.js';
import { webhookHeadersOf } from '../../observability/delivery/adapters/webhook-signature.js';
import { UpstreamAuthorization } from '../../providers/credentials/upstream-authorization.js';
import { baseOf } from '../inspector-address.js';
import { type InspectionInput, PASS, type Verdict } from '../protocols/inspection-protocol.js';
import { INSPECTION_PROTOCOLS, serverProtocolOf } from '../protocols/inspection-protocols.js';
import { InspectorBreakers } from './inspector-breakers.js';
import type { AskModel, Inspection, Judgement, ReadyInspector } from './judgement.js';
import { batchesOf, type ChangedPiece, type TextBatch, withChanges } from './text-batches.js';

/** Each organization has servers of its own, so that more can be asked at the same time than of one that all share. */
const QUEUE = { ...REMOTE_QUEUE, concurrency: 256, concurrencyPerOrganization: 32 };

/** How many requests about the same texts are under way at once. */
const AT_ONCE = 4;

/** The largest request, in bytes. */
const MAXIMUM_REQUEST = 8_388_608;

/** How much longer a changed text may be: twice its length, and this many characters. */
const MORE_CHARACTERS = 1_024;

const MAXIMUM_REASON = 200;

const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Ends the other requests about the same texts. */
class Blocked extends Error {
  constructor(readonly verdict: Verdict) {
    super();
  }
}

/** How a request to an inspector is made. */
interface Asking {
  readonly inspector: ReadyInspector;
  readonly askModel?: AskModel | undefined;
  readonly signal: AbortSignal;
  /** Called when the inspector is asked indeed. */
  readonly onAsked: () => void;
}

/** A model is given all texts at once. */
const MOST_OF_MODELS = { texts: Infinity, characters: Infinity } as const;

/**
 * Has texts judged by inspectors (docs/interface/inspectors.md#judging). Whatever an inspector does, the judgement is there within its time, and
 * nothing that is logged or counted has texts or secrets.
 */
@Injectable()
export class InspectorJudge implements OnApplicationShutdown {
  private readonly servers: InspectionServers;
  private readonly queue = new FairQueue(QUEUE);
  private readonly breakers: InspectorBreakers;

  constructor(
    environment: Environment,
    private readonly authorization: UpstreamAuthorization,
    @Optional() private readonly metrics?: Metrics,
  ) {
    this.servers = new InspectionServers(environment, {
      allowed: new AllowedAddresses(environment.allowPrivateDestinations),
      refusal: () => new InspectorFailure('the address leads into a private network'),
    });
    this.breakers = new InspectorBreakers((protocol, change) => metrics?.inspectors.breaker(protocol, change));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.servers.close();
  }

  /**
   * Has texts judged, unless the inspector has failed several times in a row.
   *
   * @param signal ends the work when the client is gone
   * @throws TooManyContentScans when too many requests of the organization wait already
   * @throws the reason of the signal
   */
  async judge(inspector: ReadyInspector, inspection: Inspection, signal?: AbortSignal): Promise<Judgement> {
    const { protocol, version } = inspector;
    const admitted = this.breakers.admit(protocol, version);
    if (admitted === undefined) {
      this.metrics?.inspectors.request(protocol, 'not_asked', 0);
      return failed(inspector, 'it is not asked for some seconds, because it has failed several times in a row', 0);
    }
    let asked = 0;
    try {
      const judgement = await this.judgeNow(inspector, inspection, signal, () => (asked += 1));
      if (asked === 0) admitted.ended();
      else if (judgement.outcome === 'failed') admitted.failed();
      else admitted.succeeded();
      return judgement;
    } catch (error) {
      admitted.ended();
      throw error;
    }
  }

  /**
   * Has texts judged, however often the inspector has failed.
   *
   * @param onAsked called when the inspector is asked indeed
   * @throws as {@link judge} does
   */
  async judgeNow(
    inspector: ReadyInspector,
    { place, texts, role, context, askModel }: Inspection,
    signal?: AbortSignal,
    onAsked: () => void = () => undefined,
  ): Promise<Judgement> {
    const { organizationId, protocol, timeoutMs } = inspector;
    const input = { organizationId, place, texts, role, context };
    const started = performance.now();
    const judgement = await withinTime(timeoutMs, signal, (ending) =>
      this.verdictOf(input, { inspector, askModel, signal: ending, onAsked }),
    ).then(
      (verdict) => judgementOf(verdict, Math.round(performance.now() - started)),
      (error: unknown) => {
        signal?.throwIfAborted();
        if (!(error instanceof InspectorFailure)) throw error;
        return failed(inspector, error.message, Math.round(performance.now() - started));
      },
    );
    this.metrics?.inspectors.request(protocol, judgement.outcome, (performance.now() - started) / 1_000);
    return judgement;
  }

  private async verdictOf(input: InspectionInput, asking: Asking): Promise<Verdict> {
    const { most } = serverProtocolOf(asking.inspector.protocol) ?? { most: MOST_OF_MODELS };
    const batches = batchesOf(input.texts, most).values();
    const changes: ChangedPiece[] = [];
    const askOn = async (): Promise<void> => {
      for (const batch of batches) changes.push(...(await this.changesIn(batch, input, asking)));
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, askOn));
    } catch (error) {
      if (error instanceof Blocked) return error.verdict;
      throw error;
    }
    return changes.length === 0 ? PASS : { verdict: 'change', texts: withChanges(input.texts, changes) };
  }

  /** @throws Blocked @throws InspectorFailure */
  private async changesIn(batch: TextBatch, input: InspectionInput, asking: Asking): Promise<ChangedPiece[]> {
    const texts = batch.map(({ text }) => text);
    const verdict = await this.ask({ ...input, texts }, asking);
    if (verdict.verdict === 'pass') return [];
    if (verdict.verdict === 'block') throw new Blocked(verdict);
    if (verdict.texts.length !== texts.length) {
      throw new InspectorFailure(`the answer has ${verdict.texts.length} texts, and not ${texts.length}`);
    }
    return batch.flatMap((piece, index) => {
      const text = verdict.texts[index]!.toWellFormed();
      if (text.length > 2 * piece.text.length + MORE_CHARACTERS)
        throw new InspectorFailure('a changed text is too long');
      return text === piece.text ? [] : [{ piece, text }];
    });
  }

  private async ask(input: InspectionInput, { inspector, askModel, signal, onAsked }: Asking): Promise<Verdict> {
    const { secrets, settings, timeoutMs, organizationId } = inspector;
    const protocol = serverProtocolOf(inspector.protocol);
    if (protocol === undefined) {
      if (askModel === undefined) throw new InspectorFailure('no request pays for the model');
      return this.queue.run(organizationId, () => askModel(input, signal, onAsked), signal);
    }
    if (secrets === undefined) throw new InspectorFailure('the secrets of the inspector cannot be decrypted');
    const { url, headers, body } = protocol.request({ url: baseOf(inspector), settings }, input);
    const payload = Buffer.from(JSON.stringify(body));
    if (payload.length > MAXIMUM_REQUEST) throw new InspectorFailure('the texts are too large for a request');
    const answer = await this.queue.run(
      organizationId,
      async () => {
        onAsked();
        const { headers: shown, issued } = await this.shown(inspector, url, payload, signal);
        const signed = protocol.isSigned
          ? webhookHeadersOf(secrets.signingSecret?.split(' ') ?? [], `msg_${newUuid()}`, payload)
          : {};
        const own = { ...headers, ...shown, ...signed };
        return this.servers
          .ask({
            url,
            body: payload,
            headers: withConfiguredHeaders(own, { headers: secrets.headers }, Object.keys(own)),
            timeoutMs,
            signal,
          })
          .catch((error: unknown) => {
            // A token that was kept may be of no use any more; the next request has another one.
            issued?.drop();
            throw error;
          });
      },
      signal,
    );
    return protocol.verdict(answer, input, settings);
  }

  /** The headers that show who asks. @throws InspectorFailure for a credential that cannot be used */
  private async shown(
    { protocol, settings, secrets }: ReadyInspector,
    url: string,
    payload: Uint8Array,
    signal: AbortSignal,
  ): Promise<Pick<Awaited<ReturnType<UpstreamAuthorization['of']>>, 'headers' | 'issued'>> {
    const key = INSPECTION_PROTOCOLS[protocol].key(settings);
    const apiKey = secrets?.apiKey ?? null;
    if (key === undefined || apiKey === null) return { headers: {} };
    const request = { method: 'POST', url, content: { type: 'application/json', pieces: [payload] } } as const;
    // A key that is no document goes where the protocol has keys, and is not signed with.
    const scheme = apiKey.startsWith('{') ? key.scheme : undefined;
    const credential = { scheme, apiKey, isOwn: true, keyHeader: key.header };
    try {
      return await this.authorization.of(credential, request, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new InspectorFailure('the credential of the inspector was not accepted', { cause: error });
    }
  }
}

function judgementOf(verdict: Verdict, milliseconds: number): Judgement {
  switch (verdict.verdict) {
    case 'pass':
      return { outcome: 'passed', milliseconds };
    case 'block':
      return { outcome: 'blocked', reason: verdict.reason && shortened(verdict.reason), milliseconds };
    case 'change':
      return { outcome: 'changed', texts: verdict.texts, milliseconds };
  }
}

function failed({ onFailure, mode }: ReadyInspector, failure: string, milliseconds: number): Judgement {
  return { outcome: 'failed', failure, letsPass: onFailure === 'pass' || mode === 'observe', milliseconds };
}

function shortened(reason: string): string {
  const beginning = reason.slice(0, 2 * MAXIMUM_REASON).toWellFormed();
  return [...beginning.replace(CONTROL_CHARACTERS, ' ').trim()].slice(0, MAXIMUM_REASON).join('');
}
