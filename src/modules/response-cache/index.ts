export { ResponseCacheModule } from './response-cache.module.js';
export { type CacheReading, ResponseCache } from './response-cache.service.js';
