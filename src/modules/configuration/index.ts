export { ConfigurationModule } from './configuration.module.js';
export { issuesOfReference, type Reference } from './document/references.js';
export { KEEP } from './document/secret-references.js';
export {
  ConfiguredKind,
  everyPage,
  type Fields,
  type FurtherField,
  type KindContext,
  type ObjectAnswer,
  type ShownObject,
  type WantedObjects,
} from './kinds/configured-kind.js';
export { ConfiguredKinds } from './kinds/configured-kinds.js';
export { AddressedKind, LocalKind } from './kinds/served-kind.js';
export { type ModelsOfKey, ModelsOfKeys } from './plan/models-of-keys.js';
