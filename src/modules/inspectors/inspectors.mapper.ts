import { shownTimes } from '../../persistence/rows/wire-fields.js';
import type { Inspector } from './dto/inspector.dto.js';
import type { InspectorEntity } from './entities/inspector.entity.js';
import { INSPECTORS } from './inspectors.repository.js';
import { shownMasks, windowOf } from './shown-inspector.js';

/** An inspector as the interface shows it: every secret masked. */
export function toInspectorResponse(inspector: InspectorEntity): Inspector {
  return {
    ...INSPECTORS.shown(inspector),
    window: windowOf(inspector),
    ...shownMasks(inspector.secretMasks),
    ...shownTimes(inspector),
  };
}
