import type { Factory } from '../../support/application/factory.js';
import { AlertDeliveryService } from '../../../src/modules/alerts/delivery/alert-delivery.service.js';
import type { Alert } from '../../../src/modules/alerts/dto/alert.dto.js';
import { AlertEvaluationService } from '../../../src/modules/alerts/evaluation/alert-evaluation.service.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { TestApplication } from '../../support/application/test-application.js';
import type { Answer } from '../../support/network/api-client.js';
import { MailServer } from '../../support/network/mail-server.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { newDestination } from '../../support/resources/destinations.js';
import { TestGateway } from '../inference/test-gateway.js';

/** Where links of the mails of tests lead. */
export const PUBLIC_URL = 'https://gatehouse.example.com';

const PREFIX = `${PUBLIC_URL}/api/v1`;

/** What a webhook was sent. */
export interface SentAlert {
  readonly type: string;
  readonly id: string;
  readonly occurred_at: string;
  readonly alert: { readonly id: string; readonly name: string; readonly kind: string };
  readonly data: Readonly<Record<string, unknown>>;
}

/** A gateway with a mail server and a receiver of webhooks on the loopback. */
export class AlertingGateway {
  private constructor(
    readonly gateway: TestGateway,
    readonly mail: MailServer,
    readonly receiver: ProviderServer,
  ) {}

  static async start(): Promise<AlertingGateway> {
    const [mail, receiver] = [await MailServer.start(), await ProviderServer.start()];
    const gateway = await TestGateway.start({ variables: variablesOf(mail) });
    return new AlertingGateway(gateway, mail, receiver);
  }

  get app(): TestApplication {
    return this.gateway.app;
  }

  get factory(): Factory {
    return this.app.factory;
  }

  /** Another replica on the same database. */
  replica(): Promise<TestApplication> {
    return this.gateway.replica(variablesOf(this.mail));
  }

  /** Forgets the alerts of other tests, and lets everything be taken. */
  async reset(): Promise<void> {
    this.gateway.reset();
    this.receiver.answerJson({});
    this.mail.received.length = 0;
    this.mail.refused.length = 0;
    this.mail.refusal = undefined;
    await this.app.rows('DELETE FROM alerts');
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await Promise.all([this.mail.stop(), this.receiver.stop()]);
  }

  /** A webhook that leads to the receiver. @returns its id */
  async webhook(organization: NewOrganization, config: object = {}): Promise<string> {
    const url = `${new URL(this.receiver.baseUrl).origin}/hook`;
    return (await newDestination(this.app, organization, 'webhook', { config: { url, ...config } })).id;
  }

  /** Sends a request that has to succeed. */
  async succeed({ managementKey }: NewOrganization, method: string, path: string, json: object): Promise<void> {
    const { status, text } = await this.app.api.send(method, path, { key: managementKey, json });
    expect({ path, status, text }).toEqual({ path, status: 200, text });
  }

  /** An alert that is sent to the receiver and to no address, unless the fields say otherwise. */
  async alert(organization: NewOrganization, fields: object = {}): Promise<Alert> {
    const { managementKey: key } = organization;
    const json = { name: 'Budgets', kind: 'budget', destination_id: await this.webhook(organization), ...fields };
    const answer = await this.app.api.post<{ data: Alert }>('/alerts', { key, json });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 201, text: answer.text });
    return answer.body.data;
  }

  /** An alert by e-mail alone, to an address that has confirmed. */
  async mailedAlert(organization: NewOrganization, email: string, fields: object = {}): Promise<Alert> {
    const alert = await this.alert(organization, { destination_id: null, emails: [email], ...fields });
    await this.send();
    expect((await this.open(this.linkTo(email))).status).toBe(200);
    this.mail.received.length = 0;
    return alert;
  }

  /** Evaluates and sends everything, with one process. */
  async notify(app = this.app): Promise<void> {
    await app.application.get(AlertEvaluationService).evaluate();
    await this.send(app);
  }

  /** Sends what is due, with one process. */
  async send(app = this.app): Promise<void> {
    await app.application.get(AlertDeliveryService).send();
  }

  /** Has everything that waits be due now. */
  async skipWaiting(): Promise<void> {
    await this.app.rows("UPDATE alert_deliveries SET next_at = now() - interval '1 s' WHERE next_at IS NOT NULL");
    await this.app.rows(
      "UPDATE alert_recipients SET confirmation_due_at = now() - interval '1 s' WHERE confirmation_due_at IS NOT NULL",
    );
  }

  /** The alerts that the receiver was sent: a webhook may get generations, too. */
  get sent(): readonly SentAlert[] {
    return this.receiver.received.map(({ body }) => body as SentAlert).filter(({ type }) => type?.startsWith('alert.'));
  }

  /** The link in the last mail to an address. */
  linkTo(email: string): string {
    const [link = ''] = /https:\S+/.exec(this.mail.to(email).at(-1)?.text ?? '') ?? [];
    expect(link.startsWith(`${PREFIX}/alerts/confirm?token=`)).toBe(true);
    return link;
  }

  /** Opens a link of a mail, as a browser does. */
  open(link: string, method = 'GET'): Promise<Answer> {
    return this.app.api.send(method, link.slice(PREFIX.length));
  }
}

function variablesOf(mail: MailServer): Record<string, string> {
  return {
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    SMTP_URL: `smtp://${mail.host}`,
    SMTP_FROM: 'Gatehouse <alerts@example.com>',
    PUBLIC_URL,
  };
}
