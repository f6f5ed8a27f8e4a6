export { AlertsModule } from './alerts.module.js';
export { AlertDeliveryService } from './delivery/alert-delivery.service.js';
export { AlertEvaluationService } from './evaluation/alert-evaluation.service.js';
