import { Injectable } from '@nestjs/common';
import type { Fields, ShownObject } from '../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { LocalKind } from '../configuration/kinds/served-kind.js';
import { AlertsService } from './alerts.service.js';
import { type Alert, CreateAlertRequest, UpdateAlertRequest } from './dto/alert.dto.js';

/** Alerts as files configure them (docs/configuration.md). */
@Injectable()
export class AlertsConfiguration extends LocalKind {
  readonly section = 'alerts';
  readonly one = 'alert';
  readonly permission = 'alerts_write';
  override readonly workspace = 'none';
  readonly creation = CreateAlertRequest;
  readonly change = UpdateAlertRequest;
  override readonly references = {
    guardrail: { to: 'guardrails', wire: 'guardrail_id' },
    key: { to: 'keys', wire: 'key_hash' },
    limit: { to: 'limits', wire: 'limit_id' },
    destination: { to: 'destinations', wire: 'destination_id' },
  };

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: AlertsService,
  ) {
    super();
    kinds.add(this);
  }

  override requestFieldsOf(shown: ShownObject): Fields {
    const { recipients, ...fields } = shown as Alert;
    return { ...fields, emails: recipients.map(({ email }) => email).sort() };
  }
}
