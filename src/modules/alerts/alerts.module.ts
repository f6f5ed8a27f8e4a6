import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { AlertsConfiguration } from './alerts.configuration.js';

import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { AuditModule } from '../audit/audit.module.js';
import { ObservabilityModule } from '../observability/observability.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AlertsController } from './alerts.controller.js';
import { ALERTS_CONSTRAINT_ERRORS } from './alerts.errors.js';
import { AlertsRepository } from './alerts.repository.js';
import { AlertsService } from './alerts.service.js';
import { AlertDeliveriesRepository } from './delivery/alert-deliveries.repository.js';
import { AlertDeliveryService } from './delivery/alert-delivery.service.js';
import { Mailer } from './delivery/mailer.js';
import { AlertConfirmationMailEntity, AlertEntity, AlertRecipientEntity } from './entities/alert.entity.js';
import { AlertDeliveryEntity, AlertNotificationEntity } from './entities/alert-notification.entity.js';
import { AlertEvaluationRepository } from './evaluation/alert-evaluation.repository.js';
import { AlertEvaluationService } from './evaluation/alert-evaluation.service.js';
import { LimitEvaluationRepository } from './evaluation/limit-evaluation.repository.js';
import { ConfirmationController } from './recipients/confirmation.controller.js';
import { ErasedRecipientsHook } from './recipients/erased-recipients.hook.js';
import { ErasedRecipientsRepository } from './recipients/erased-recipients.repository.js';
import { RecipientsService } from './recipients/recipients.service.js';

/** Alerts on budgets, limits, keys that expire and destinations that pause (docs/interface/alerts.md). */
@Module({
  imports: [
    ConfigurationModule,
    TypeOrmModule.forFeature([
      AlertConfirmationMailEntity,
      AlertDeliveryEntity,
      AlertEntity,
      AlertNotificationEntity,
      AlertRecipientEntity,
    ]),
    AuditModule,
    ObservabilityModule,
    OrganizationsModule,
    WorkspacesModule,
  ],
  // The page of links first, whose path would be an /alerts/:id.
  controllers: [ConfirmationController, AlertsController],
  providers: [
    AlertsConfiguration,
    AlertDeliveriesRepository,
    AlertDeliveryService,
    AlertEvaluationRepository,
    AlertEvaluationService,
    AlertsRepository,
    AlertsService,
    ErasedRecipientsHook,
    ErasedRecipientsRepository,
    LimitEvaluationRepository,
    Mailer,
    RecipientsService,
  ],
  exports: [AlertDeliveryService, AlertEvaluationService],
})
export class AlertsModule {
  constructor(errors: ConstraintErrors) {
    errors.add(ALERTS_CONSTRAINT_ERRORS);
  }
}
