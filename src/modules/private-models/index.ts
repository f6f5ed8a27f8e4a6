export { PrivateModelsModule } from './private-models.module.js';
