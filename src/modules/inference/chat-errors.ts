import type { ErrorKind } from '../../api/errors/domain-error.js';
import {
  ContentBlocked,
  ContentFilterUnavailable,
  PromptInjectionDetected,
  TooManyContentScans,
} from '../content/content.errors.js';
import { NoEndpoints } from '../routing/routing.errors.js';
import {
  DataRegionNotAllowed,
  InvalidModel,
  ModelMissing,
  PresetMissing,
  ProviderRefusedRequest,
  ProvidersRateLimited,
  ProvidersUnavailable,
  TooManyOpenRequests,
} from './inference.errors.js';

/** What every operation that is answered by a chat can be refused with. */
export const CHAT_ERRORS: readonly ErrorKind[] = [
  ModelMissing,
  InvalidModel,
  ContentBlocked,
  PromptInjectionDetected,
  DataRegionNotAllowed,
  PresetMissing,
  NoEndpoints,
  ...ProviderRefusedRequest.kinds,
  ProvidersRateLimited,
  ProvidersUnavailable,
  ContentFilterUnavailable,
  TooManyContentScans,
  TooManyOpenRequests,
];
