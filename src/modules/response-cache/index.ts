export { ResponseCacheModule } from './response-cache.module.js';
export { ResponseCache } from './response-cache.service.js';
