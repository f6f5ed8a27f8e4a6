import { Injectable } from '@nestjs/common';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { AddressedKind } from '../configuration/kinds/served-kind.js';
import { CreateInspectorRequest, UpdateInspectorRequest } from './dto/inspector.dto.js';
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
}
