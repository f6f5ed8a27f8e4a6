export { InspectorsModule } from './inspectors.module.js';
