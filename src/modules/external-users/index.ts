export { ExternalUsersModule } from './external-users.module.js';
