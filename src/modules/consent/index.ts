export { ConsentModule } from './consent.module.js';

/** The paths of the page, which lie outside the interface, without a slash at the beginning. */
export const CONSENT_PATHS = ['auth'];
