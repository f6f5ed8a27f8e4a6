import { requireNoIssues } from '../../../http/errors/require-all.js';
import { rulesOf } from '../../../http/validation/rules.js';
import { validateDto } from '../../../http/validation/validate.js';
import { ApplyConfigurationRequest } from '../dto/configuration.dto.js';

/** Checks what has come by no request as a request is. @throws BadRequestError with all that is wrong with its form */
export function requireApplicable(input: ApplyConfigurationRequest): void {
  requireNoIssues([
    ...validateDto(ApplyConfigurationRequest, input),
    ...rulesOf(ApplyConfigurationRequest).flatMap((rule) => rule({ ...input })),
  ]);
}
