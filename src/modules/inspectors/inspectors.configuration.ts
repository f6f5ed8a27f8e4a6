import { Injectable } from '@nestjs/common';
import type { KindContext, ShownObject } from '../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { AddressedKind } from '../configuration/kinds/served-kind.js';
import { CreateInspectorRequest, type Inspector, UpdateInspectorRequest } from './dto/inspector.dto.js';
import { InspectorsService } from './inspectors.service.js';

/** Inspectors as files configure them (docs/configuration.md). */
@Injectable()
export class InspectorsConfiguration extends AddressedKind {
  readonly section = 'inspectors';
  readonly one = 'inspector';
  readonly permission = 'inspectors_write';
  readonly creation = CreateInspectorRequest;
  readonly change = UpdateInspectorRequest;
  override readonly secrets = ['api_key', 'signing_secret', 'headers'];

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: InspectorsService,
  ) {
    super();
    kinds.add(this);
  }

  override async dependents({ inventory }: KindContext, shown: ShownObject): Promise<readonly string[]> {
    const { id } = shown as Inspector;
    const guardrails = await inventory.all('guardrails');
    return guardrails
      .filter(
        (one) => (one.shown as { readonly inspector_ids?: readonly string[] }).inspector_ids?.includes(id) === true,
      )
      .map(({ name }) => `guardrail ${name}`);
  }
}
