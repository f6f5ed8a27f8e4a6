export { ProviderConnectionsModule } from './provider-connections.module.js';
