import { DESTINATION_SETTINGS, DESTINATION_TYPES } from '../../../src/modules/observability/destination-settings.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { DESTINATION_SAMPLES, SECRET_MARK, signingSecret } from '../../support/resources/destination-samples.js';
import {
  EVERY_DESTINATION_OPTION,
  expectNoCredentialStored,
  newDestination,
  storedConfig,
} from '../../support/resources/destinations.js';
import type { Refusal } from '../../support/expectations/error-envelope.js';
import { destinationUpdate } from './destination-update.js';

const HEADERS = { Authorization: `Bearer ${SECRET_MARK} token`, 'x-short': '12345678' };

const MASKED_HEADERS = { Authorization: 'Bear...oken', 'x-short': '****' };

/** A setting of each kind that decides where credentials are sent, with another value. */
const ORIGINS = [
  ['langfuse', 'baseUrl', 'https://public.example.com'],
  ['langfuse', 'baseUrl', 'https://us.cloud.langfuse.com:8443'],
  ['clickhouse', 'host', 'public.example.com'],
  ['datadog', 'url', 'https://public.example.com'],
  ['newrelic', 'region', 'us'],
  ['otel-collector', 'endpoint', 'https://public.example.com/v1/traces'],
  ['s3', 'endpoint', 'https://public.example.com'],
  ['s3', 'region', 'us-east-1'],
  ['s3', 'bucketName', 'another-bucket'],
  ['sentry', 'otlpEndpoint', 'https://public.example.com/otlp'],
  ['sentry', 'dsn', 'https://0123456789@public.example.com/1'],
  ['snowflake', 'account', 'another-account'],
  ['webhook', 'url', 'https://public.example.com/hook'],
] as const;

describe('updateObservabilityDestination', () => {
  const { app, organization, patch, update, expectRefused, invalid, expectUnchanged } = destinationUpdate();

  const masked = (...paths: string[]): Refusal => ({ status: 400, reason: 'masked_credential', paths });

  describe('with credentials', () => {
    it.each(DESTINATION_TYPES)(
      'answers 200 and keeps those of the type %s for the body of its answer',
      async (type) => {
        const config = { ...DESTINATION_SAMPLES[type].config, headers: HEADERS };
        const made = await newDestination(app, organization, type, { ...EVERY_DESTINATION_OPTION, config });
        const { id, workspace_id, type: _type, delivery_state, created_at, updated_at, ...changeable } = made;

        await expectUnchanged(made, changeable);
        await expectUnchanged(made, { config: made.config });
        for (const [name, value] of Object.entries(made.config))
          await expectUnchanged(made, { config: { [name]: value } });
        expect(await storedConfig(app, id)).toEqual(config);
        expect([workspace_id, delivery_state, created_at, updated_at]).not.toContain(undefined);
      },
    );

    it.each(DESTINATION_TYPES)(
      'answers 200 and replaces each new one of the type %s, keeping the others',
      async (type) => {
        const made = await newDestination(app, organization, type);
        const settings = Object.entries(DESTINATION_SETTINGS[type]).filter(([, { credential }]) => credential);
        let stored = await storedConfig(app, made.id);

        for (const [name] of settings) {
          const values = {
            dsn: `https://NEW${SECRET_MARK}@o1.ingest.sentry.io/1`,
            signingSecret: signingSecret('NEW0'),
          };
          const value = values[name as keyof typeof values] ?? `NEW-${SECRET_MARK}-${name}-wxyz`;
          const answer = await update(made.id, { config: { ...made.config, [name]: value } });
          stored = { ...stored, [name]: value };
          expect(await storedConfig(app, made.id)).toEqual(stored);
          expect(answer.config[name]).toBe(`${value.slice(0, 4)}...${value.slice(-4)}`);
          made.config = answer.config;
        }
      },
    );

    it.each(DESTINATION_TYPES)('answers 400 for another mask of the type %s', async (type) => {
      const { id } = await newDestination(app, organization, type);
      const credentials = Object.keys(DESTINATION_SAMPLES[type].masked).filter(
        (name) => DESTINATION_SETTINGS[type][name]!.credential,
      );

      for (const name of credentials) {
        await expectRefused(id, { config: { [name]: 'zyxw...dcba' } }, masked(`config.${name}`));
      }
      const config = { headers: { 'x-new': '****' } };
      await expectRefused(id, { config }, masked('config.headers.x-new'));
    });

    it('answers 400 for the mask of another credential', async () => {
      const config = { publicKey: 'pk-lf-0123456789', secretKey: 'sk-lf-0123456789' };
      const { id } = await newDestination(app, organization, 'langfuse', { config });
      const swapped = { publicKey: 'sk-l...6789', secretKey: 'pk-l...6789' };

      await expectRefused(id, { config: swapped }, masked('config.publicKey', 'config.secretKey'));
    });

    it('answers 200 and matches headers by name in any case, replacing all of them together', async () => {
      const url = 'https://public.example.com/';
      const { id } = await newDestination(app, organization, 'webhook', { config: { url, headers: HEADERS } });
      const rest = { url, method: 'POST' };

      await update(id, { config: { headers: { AUTHORIZATION: 'Bear...oken', 'x-new': `n${SECRET_MARK}w` } } });
      expect(await storedConfig(app, id)).toEqual({
        ...rest,
        headers: { AUTHORIZATION: HEADERS.Authorization, 'x-new': `n${SECRET_MARK}w` },
      });
      // The header was removed, and with it the value that its mask stood for.
      await expectRefused(id, { config: { headers: MASKED_HEADERS } }, masked('config.headers.x-short'));
      await update(id, { config: { headers: {} } });
      expect(await storedConfig(app, id)).toEqual({ ...rest, headers: {} });
      await update(id, { config: { headers: null } });
      expect(await storedConfig(app, id)).toEqual(rest);
    });

    it('answers 200 and keeps one whose mask is unchanged after a concurrent change, or answers 400', async () => {
      const { id } = await newDestination(app, organization, 'opik');
      const mask = DESTINATION_SAMPLES.opik.masked['apiKey'];
      const fresh = `fresh-${SECRET_MARK}-key`;

      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => patch(id, { config: { apiKey: index === 5 ? fresh : mask } })),
      );

      for (const { status, body } of answers.filter((_, index) => index !== 5)) {
        expect(status === 200 || status === 400).toBe(true);
        if (status === 400) expect(body).toMatchObject({ error: { metadata: { reason: 'masked_credential' } } });
      }
      expect(answers[5]!.status).toBe(200);
      expect((await storedConfig(app, id))['apiKey']).toBe(fresh);
    });

    it('answers 200 and records the change of one with the same mask, without either value', async () => {
      const { id, config, updated_at: before } = await newDestination(app, organization, 'opik');

      const answer = await update(id, { config: { apiKey: `abcd-OTHER-${SECRET_MARK}-wxyz` } });

      expect(answer.config).toEqual(config);
      expect(answer.updated_at > before).toBe(true);
      expect((await auditEventsOf(app, id)).slice(1)).toEqual([
        {
          action: 'observability_destination.update',
          target_type: 'observability_destination',
          target_id: id,
          actor_kind: 'management_key',
          actor_id: organization.userId,
          changes: { config: { before: config, after: config } },
        },
      ]);
    });

    it('answers 200 or 400 and leaves none in database, audit trail and log', async () => {
      for (const type of DESTINATION_TYPES) {
        const { id, config } = await newDestination(app, organization, type);
        await update(id, { name: 'Renamed', config: { ...config, headers: HEADERS } });
        expect((await patch(id, { config: { surprise: SECRET_MARK, headers: { 'a b': SECRET_MARK } } })).status).toBe(
          400,
        );
      }

      await expectNoCredentialStored(app);
    });

    it.each(ORIGINS)('answers 400 when %s gets another %s without its credentials', async (type, name, value) => {
      const config = { ...DESTINATION_SAMPLES[type].config, headers: HEADERS };
      const made = await newDestination(app, organization, type, { config });
      const credentials = Object.keys(DESTINATION_SETTINGS[type]).filter(
        (setting) => setting !== name && DESTINATION_SETTINGS[type][setting]!.credential,
      );
      const headers = Object.keys(HEADERS).map((header) => `headers.${header}`);
      const needed = (...names: string[]): Refusal => ({
        status: 400,
        reason: 'credentials_required_for_new_origin',
        paths: names.map((path) => `config.${path}`),
      });

      await expectRefused(made.id, { config: { [name]: value } }, needed(...credentials, ...headers));
      await expectRefused(made.id, { config: { ...made.config, [name]: value } }, needed(...credentials, ...headers));
      const fresh = Object.fromEntries(credentials.map((setting) => [setting, config[setting as keyof typeof config]]));
      await expectRefused(made.id, { config: { ...fresh, [name]: value } }, needed(...headers));
      for (const missing of credentials) {
        const given = { ...fresh, headers: HEADERS, [missing]: made.config[missing] };
        await expectRefused(made.id, { config: { ...given, [name]: value } }, needed(missing));
      }

      await update(made.id, { config: { ...fresh, headers: HEADERS, [name]: value } });

      expect(await storedConfig(app, made.id)).toEqual({ ...config, [name]: value });
    });

    it('answers 200 to another path of the same origin, and to another origin once there are no credentials', async () => {
      const { baseUrl } = DESTINATION_SAMPLES.langfuse.config;
      const made = await newDestination(app, organization, 'langfuse');

      await update(made.id, { config: { baseUrl: `${baseUrl!.replace('https', 'HTTPS')}:443/base` } });
      expect((await storedConfig(app, made.id))['secretKey']).toBe(DESTINATION_SAMPLES.langfuse.config['secretKey']);

      const url = 'https://public.example.com/elsewhere';
      const hook = await newDestination(app, organization, 'webhook', {
        config: { url: 'https://hooks.example.com/x', headers: HEADERS },
      });
      await update(hook.id, { config: { url, headers: null } });
      expect(await storedConfig(app, hook.id)).toEqual({ url, method: 'POST' });
    });

    it('answers 200 and records both addresses of a change of origin', async () => {
      const made = await newDestination(app, organization, 'langfuse');
      const baseUrl = 'https://public.example.com/langfuse';

      const answer = await update(made.id, { config: { ...DESTINATION_SAMPLES.langfuse.config, baseUrl } });

      const config = { ...made.config, baseUrl };
      expect(answer.config).toEqual(config);
      expect((await auditEventsOf(app, made.id)).at(-1)!.changes).toEqual({
        config: { before: made.config, after: config },
      });
    });

    it('answers 200 for the mask with an ellipsis (U+2026), or 400 for one that does not fit', async () => {
      const made = await newDestination(app, organization, 'langfuse');

      await expectUnchanged(made, { config: { secretKey: 'abcd\u2026wxyz' } });
      await expectRefused(made.id, { config: { secretKey: 'zyxw\u2026dcba' } }, masked('config.secretKey'));
    });

    it('answers 400 to the mask of an address that is not the stored one', async () => {
      const { id } = await newDestination(app, organization, 'webhook');

      for (const url of ['https://public.example.com/****', 'https://hooks.example.com/x?****', '****']) {
        await expectRefused(id, { config: { url } }, masked('config.url'));
      }
    });
  });

  describe('with settings that cannot be decrypted', () => {
    const unreadable = async (): Promise<string> => {
      const { id } = await newDestination(app, organization, 'langfuse');
      await app.rows(
        'UPDATE observability_destinations SET encrypted_config = sha512(encrypted_config) WHERE id = $1',
        [id],
      );
      return id;
    };

    it('answers 200 to new settings, and to changes of other fields', async () => {
      const id = await unreadable();
      const { config, masked: shown } = DESTINATION_SAMPLES.langfuse;

      expect(await update(id, { name: 'Renamed' })).toMatchObject({ name: 'Renamed', config: { secretKey: '****' } });
      await expectRefused(id, { config: { secretKey: 'x' } }, invalid('config.publicKey'));
      await expectRefused(
        id,
        { config: { publicKey: '****', secretKey: '****' } },
        masked('config.publicKey', 'config.secretKey'),
      );

      expect((await update(id, { config })).config).toEqual(shown);
      expect(await storedConfig(app, id)).toEqual(config);
    });

    it('lets deletion answer 200', async () => {
      const key = organization.managementKey;

      expect((await app.api.delete(`/observability/destinations/${await unreadable()}`, { key })).status).toBe(200);
    });
  });
});
