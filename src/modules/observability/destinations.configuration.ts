import { Injectable } from '@nestjs/common';
import type { Fields, ShownObject } from '../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { AddressedKind } from '../configuration/kinds/served-kind.js';

import { KEEP } from '../configuration/document/secret-references.js';
import { isObject } from '../../http/validation/constraints.js';
import { isAddressMask, settingOf } from './config-mask.js';
import type { DestinationType } from './destination-settings.js';
import {
  CreateObservabilityDestinationRequest,
  type ObservabilityDestination,
  UpdateObservabilityDestinationRequest,
} from './dto/destination.dto.js';
import { ObservabilityService } from './observability.service.js';

/** Destinations as files configure them (docs/configuration.md). */
@Injectable()
export class DestinationsConfiguration extends AddressedKind {
  readonly section = 'destinations';
  readonly one = 'destination';
  readonly permission = 'destinations_write';
  override readonly workspace = 'default';
  readonly creation = CreateObservabilityDestinationRequest;
  readonly change = UpdateObservabilityDestinationRequest;
  protected override readonly isListedByWorkspace = true;
  override readonly references = { api_keys: { to: 'keys', wire: 'api_key_hashes', isList: true } };

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: ObservabilityService,
  ) {
    super();
    kinds.add(this);
  }

  /** Credentials, and addresses that hold one, are masked in answers. */
  override requestFieldsOf(shown: ShownObject): Fields {
    const { type, config, ...fields } = shown as ObservabilityDestination;
    const settings = Object.entries(config).map(([name, value]) => [name, settingInFile(type, name, value)] as const);
    return { ...fields, type, config: Object.fromEntries(settings.filter(([, value]) => value != null)) };
  }

  override isSecretAt({ type }: Fields, [field, name]: readonly string[]): boolean {
    if (field !== 'config' || name === undefined) return false;
    return name === 'headers' || settingOf(type as DestinationType, name)?.credential === true;
  }
}

function settingInFile(type: DestinationType, name: string, value: unknown): unknown {
  if (name === 'headers') {
    return isObject(value) ? Object.fromEntries(Object.keys(value).map((header) => [header, KEEP])) : undefined;
  }
  const setting = settingOf(type, name);
  const isMasked = setting?.address !== undefined && typeof value === 'string' && isAddressMask(value);
  return value != null && (setting?.credential === true || isMasked) ? KEEP : value;
}
