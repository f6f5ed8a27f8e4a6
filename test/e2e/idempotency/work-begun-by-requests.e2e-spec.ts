import { Readable } from 'node:stream';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModulesContainer } from '@nestjs/core';
import type { Dispatcher } from 'undici';
import { currentScope } from '../../../src/concurrency/request-scope.js';
import { IssuerTransport } from '../../../src/http/addresses/issuer-transport.js';
import { PublishedKeys } from '../../../src/http/addresses/published-keys.js';
import { sendThrough } from '../../../src/http/outgoing/outgoing-answer.js';
import { LiveGenerationsService } from '../../../src/modules/generations/listing/live-generations.service.js';
import { LateGenerations } from '../../../src/modules/generations/late-generations.js';
import type { RecordToInsert } from '../../../src/modules/generations/generations.repository.js';
import type { Lease, LeasedQueue } from '../../../src/modules/observability/delivery/sending/delivery.repository.js';
import {
  DestinationDrain,
  type DrainMeans,
} from '../../../src/modules/observability/delivery/sending/destination-drain.js';
import { ReplayRunner } from '../../../src/modules/replays/replay-runner.service.js';
import { OutboxBoundsRepository } from '../../../src/modules/observability/delivery/outbox/outbox-bounds.repository.js';
import { AuthorizationServers } from '../../../src/modules/mcp-servers/authorization/authorization-servers.service.js';
import { McpIssuerTransport } from '../../../src/modules/mcp-servers/authorization/mcp-issuer-transport.js';
import { McpConnectionsRepository } from '../../../src/modules/mcp-servers/connections/mcp-connections.repository.js';
import { MemberTokens } from '../../../src/modules/mcp-servers/connections/member-tokens.service.js';
import type { ReadyMcpServer } from '../../../src/modules/mcp-servers/upstream/ready-mcp-server.js';
import { McpAnswer } from '../../../src/modules/mcp/messages/mcp-answer.js';
import { SessionStreams } from '../../../src/modules/mcp/sessions/session-streams.service.js';
import { OutboxBounds } from '../../../src/modules/observability/delivery/outbox/outbox-bounds.service.js';
import { TokenCache } from '../../../src/modules/providers/credentials/token-cache.js';
import { DatabaseRates } from '../../../src/modules/rates/database-rates.js';
import { RateUsesRepository } from '../../../src/modules/rates/rate-uses.repository.js';
import type { ScimSyncJobResponse } from '../../../src/modules/scim/dto/scim-sync-job.dto.js';
import { OidcClients } from '../../../src/modules/sign-in/oidc/oidc-clients.js';
import { LimitRefusalsRepository } from '../../../src/modules/spend/limit-refusals.repository.js';
import { LimitRefusals } from '../../../src/modules/spend/limit-refusals.service.js';
import { ProcessLeaseService } from '../../../src/modules/spend/process-lease.service.js';
import { ProcessLeasesRepository } from '../../../src/modules/spend/process-leases.repository.js';
import { newUuid } from '../../../src/persistence/identifiers.js';
import { RepeatedWork } from '../../../src/persistence/repeated-work.js';
import { statement } from '../../../src/persistence/statement.js';
import { Statements } from '../../../src/persistence/statements.js';
import { ServiceLogger } from '../../../src/telemetry/logging/service-logger.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';
import { until } from '../../support/time/until.js';
import { misplacedStatements, WritesBeside } from './writes-beside.js';

const CHANGE = {
  ...statement<never, [id: number]>('test_begun_insert', 'INSERT INTO notes (id) VALUES ($1)'),
  isChange: true,
} as ReturnType<typeof statement<never, [id: number]>>;

/** How often the files of `src` have a call, by their names; without those that have it not. */
function callsByFile(call: RegExp): Map<string, number> {
  const counts = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.spec)\.ts$/.test(file))
    .map((file) => [file, readFileSync(join('src', file), 'utf8').match(call)?.length ?? 0] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

describe('work that begins within a request with an Idempotency-Key', () => {
  const app = sharedApplication({ variables: { DATABASE_POOL_SIZE: '2' } });
  const organization = sharedOrganization(app);
  const others = sharedOrganization(app);
  let beside: WritesBeside;
  let notes = 0;

  /** Does work after a change, within its transaction, and then keeps that open for some more statements. */
  const withinUnit = async (work: () => void): Promise<void> => {
    const statements = app.application.get(Statements);
    const unit = async (): Promise<void> => {
      await statements.write(CHANGE, [++notes]);
      work();
      for (let left = 5; left > 0; left -= 1) await statements.write(CHANGE, [++notes]);
    };
    const nothing = (): Promise<void> => Promise.resolve();
    await statements.unitOfWork(unit, nothing, nothing);
  };

  beforeAll(async () => {
    await app.rows('CREATE TABLE notes (id integer PRIMARY KEY)');
    await app.rows('GRANT ALL ON notes TO PUBLIC');
    await app.factory.enableScim(organization);
  });

  beforeEach(() => {
    beside = WritesBeside.begin(app, others);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    // Each was made, and no statement has gone astray.
    expect(new Set(await beside.end())).toEqual(new Set([201]));
    expect(misplacedStatements(app)).toEqual([]);
  });

  it('stands outside of the transaction of the request for each kind of background work, beside writes that answer 201', async () => {
    const providers = [...app.application.get(ModulesContainer).values()].flatMap(({ providers: of }) => [
      ...of.values(),
    ]);
    const found = new Map<RepeatedWork, string>();
    for (const { instance, name } of providers) {
      for (const value of Object.values(instance ?? {})) {
        if (value instanceof RepeatedWork) found.set(value, String(name));
      }
    }
    expect(found.size).toBe([...callsByFile(/new RepeatedWork\(/g).values()].reduce((sum, count) => sum + count));

    for (const [repeated, name] of found) {
      const scopes: unknown[] = [];
      let rounds = 0;
      const inner = repeated as unknown as { work: () => Promise<unknown> };
      const { work } = inner;
      inner.work = async () => {
        scopes.push(currentScope());
        await work();
        scopes.push(currentScope());
        rounds += 1;
      };
      await withinUnit(() => {
        void repeated.run();
        repeated.wake();
      });
      await until(() => Promise.resolve(rounds === 2));
      inner.work = work;
      expect([name, scopes]).toEqual([name, [undefined, undefined, undefined, undefined]]);
    }
  });

  const scopesOf = <Owner extends object>(owner: Owner, method: keyof Owner, answer: unknown): unknown[] => {
    const scopes: unknown[] = [];
    jest.spyOn(owner as Record<string, () => unknown>, method as string).mockImplementation(() => {
      scopes.push(currentScope() ?? null);
      return answer;
    });
    return scopes;
  };

  const never = new Promise<never>(() => undefined);
  const mcpServer = (): ReadyMcpServer =>
    ({ id: newUuid(), organizationId: newUuid(), version: newUuid(), url: issuer, authorizationServer: null }) as never;
  const issuer = 'https://issuer.example.com';

  /** What a request may begin beside {@link RepeatedWork}, by file: begins it, and says where it stood. */
  const BEGUN: Readonly<Record<string, () => unknown[]>> = {
    'modules/replays/replay-runner.service.ts': () => {
      const runner = app.application.get(ReplayRunner);
      const scopes = scopesOf(runner as unknown as { run: unknown }, 'run', never);
      runner.begin({} as never, { budget: null } as never);
      return scopes;
    },
    'modules/mcp/messages/mcp-answer.ts': () => {
      const scopes = scopesOf(globalThis as unknown as { setInterval: unknown }, 'setInterval', undefined);
      const response = { req: { headers: { accept: '*/*' } }, once: () => undefined };
      new McpAnswer(response as unknown as ConstructorParameters<typeof McpAnswer>[0]).keepAlive();
      return scopes;
    },
    'modules/mcp/sessions/session-streams.service.ts': () => {
      const scopes = scopesOf(globalThis as unknown as { setInterval: unknown }, 'setInterval', undefined);
      const sessions = { serverOf: () => Promise.resolve({}) };
      const upstream = { listen: () => Promise.resolve(Readable.from([])) };
      const others = [{}, {}, sessions, upstream, {}, {}, {}, {}];
      const streams = new SessionStreams(...(others as unknown as ConstructorParameters<typeof SessionStreams>));
      const request = { caller: { credentialId: newUuid() }, paired: {}, signal: new AbortController().signal };
      const answer = { stream: () => undefined, endStream: () => undefined };
      void streams.run(request as never, answer as never);
      return scopes;
    },
    'modules/observability/delivery/outbox/outbox-bounds.service.ts': () => {
      const scopes = scopesOf(app.application.get(OutboxBoundsRepository), 'waitingOf', never);
      app.application.get(OutboxBounds).hasRoom(newUuid(), newUuid());
      return scopes;
    },
    'modules/generations/late-generations.ts': () => {
      const late = app.application.get(LateGenerations);
      const scopes = scopesOf(late, 'store', Promise.resolve());
      late.add({ id: newUuid(), organizationId: newUuid() } as unknown as RecordToInsert);
      return scopes;
    },
    'modules/generations/listing/live-generations.service.ts': () => {
      const scopes = scopesOf(globalThis, 'setInterval', { unref: () => undefined });
      const caller = { organizationId: newUuid(), credentialId: newUuid(), userId: newUuid(), onlyOwn: false };
      const answer = app.application.get(LiveGenerationsService).listen(caller as never, {}, {} as never, undefined);
      answer.send({ req: {}, closed: true } as never);
      return scopes;
    },
    'modules/spend/process-lease.service.ts': () => {
      const scopes = scopesOf(app.application.get(ProcessLeasesRepository), 'renew', never);
      void app.application.get(ProcessLeaseService).hold();
      return scopes;
    },
    'modules/spend/limit-refusals.service.ts': () => {
      const scopes = scopesOf(app.application.get(LimitRefusalsRepository), 'note', never);
      const amounts = { limitUsd: '1', spentUsd: '1', includesByok: false, observer: null };
      const holder = { subject: 'key', guardrailId: null, holder: 'key', holderId: newUuid() } as const;
      app.application
        .get(LimitRefusals)
        .note(newUuid(), [{ ...holder, ...amounts, spender: 1, interval: 'daily', firstDay: '2026-11-28' }]);
      return scopes;
    },
    'modules/providers/credentials/token-cache.ts': () => {
      const service = { fetch: () => never };
      const scopes = scopesOf(service, 'fetch', never);
      void new TokenCache().get('credential', () => service.fetch(), new AbortController().signal);
      return scopes;
    },
    'modules/mcp-servers/authorization/authorization-servers.service.ts': () => {
      const scopes = scopesOf(app.application.get(McpIssuerTransport), 'fetch', never);
      void app.application.get(AuthorizationServers).of(mcpServer());
      return scopes;
    },
    'modules/mcp-servers/connections/member-tokens.service.ts': () => {
      const connection = { id: newUuid(), expiresAt: new Date(0) };
      jest.spyOn(app.application.get(McpConnectionsRepository), 'find').mockResolvedValue(connection as never);
      const scopes = scopesOf(app.application.get(McpConnectionsRepository), 'claim', never);
      void app.application.get(MemberTokens).of(mcpServer(), newUuid());
      return scopes;
    },
    'modules/sign-in/oidc/oidc-clients.ts': () => {
      const scopes = scopesOf(app.application.get(IssuerTransport), 'fetch', never);
      void app.application.get(OidcClients).clientOf({ issuer, clientId: newUuid(), clientSecret: null });
      return scopes;
    },
    'modules/observability/delivery/sending/destination-drain.ts': () => {
      const scopes = scopesOf(globalThis, 'setInterval', undefined);
      const queue = { dropBefore: new Date() } as unknown as LeasedQueue;
      const means = { repository: { destination: () => never } } as unknown as DrainMeans;
      void new DestinationDrain({} as Lease, queue, means).run();
      return scopes;
    },
    'modules/rates/database-rates.ts': () => {
      const scopes = scopesOf(globalThis, 'setInterval', { unref: () => undefined });
      new DatabaseRates(app.application.get(RateUsesRepository), app.application.get(ServiceLogger));
      return scopes;
    },
    'http/addresses/published-keys.ts': () => {
      const transport = app.application.get(IssuerTransport);
      const scopes = scopesOf(transport, 'json', never);
      const keys = new PublishedKeys(transport, { firstPauseMs: 0, pauseMs: 0, isUsable: () => true });
      void keys.verified({ name: issuer, address: () => Promise.resolve(issuer) }, () => never);
      return scopes;
    },
    'http/outgoing/outgoing-answer.ts': () => {
      const dispatcher = { request: () => never };
      const scopes = scopesOf(dispatcher, 'request', never);
      void sendThrough(dispatcher as unknown as Dispatcher, { path: '/', method: 'GET' });
      return scopes;
    },
  };

  it('is asked about in each file that begins some', () => {
    const files = [...callsByFile(/\b(onItsOwn|behindRequest|forSeveralRequests)\(/g).keys()];

    // What begins within src/concurrency and src/persistence, work-left-behind.e2e-spec.ts asks about.
    const asked = files.filter((file) => /^(modules|http\/(addresses|outgoing))\//.test(file));
    expect(asked.toSorted()).toEqual(Object.keys(BEGUN).toSorted());
  });

  it.each(Object.keys(BEGUN))('stands outside of the transaction of the request in %s', async (file) => {
    let scopes: unknown[] = [];
    await withinUnit(() => void (scopes = BEGUN[file]!()));
    await until(() => Promise.resolve(scopes.length > 0));

    expect(scopes).toEqual([null]);
  });

  it('is a sync job that is done at once, for a request that answers 202, beside writes that answer 201', async () => {
    for (let round = 0; round < 25; round += 1) {
      const { status, body } = await app.api.post<ScimSyncJobResponse>('/scim/sync-jobs', {
        key: organization.managementKey,
        headers: { 'idempotency-key': newUuid() },
      });
      expect(status).toBe(202);
      await until(async () => {
        const path = `/scim/sync-jobs/${body.data.id}`;
        const job = await app.api.get<ScimSyncJobResponse>(path, { key: organization.managementKey });
        return job.body.data.status === 'succeeded';
      });
    }
  });
});
