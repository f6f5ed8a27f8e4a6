import { Injectable } from '@nestjs/common';
import type { AlsoChanged, ManagedRequest, ObjectsOfSection } from '../../../http/managed-objects/managed-objects.js';
import type { BulkAssignKeysRequest, BulkAssignMembersRequest } from './assignment.dto.js';
import { isUuid } from '../../../persistence/identifiers.js';
import { type AssignmentKind, AssignmentsRepository } from './assignments.repository.js';

/** The guardrails that lose keys or members to the one that is assigned. */
@Injectable()
export class ReplacedGuardrails implements AlsoChanged {
  constructor(private readonly repository: AssignmentsRepository) {}

  async find({ params, body }: ManagedRequest, organizationId: string): Promise<ObjectsOfSection[]> {
    const asked = body as BulkAssignKeysRequest | BulkAssignMembersRequest;
    const id = params['id'] as string;
    // There is no such guardrail, which the operation itself says.
    if (!isUuid(id)) return [];
    return 'key_hashes' in asked
      ? this.of(organizationId, 'key', id, asked.key_hashes)
      : this.of(organizationId, 'member', id, asked.member_user_ids);
  }

  /** As files are kept with them. @param references hashes of keys or users */
  async of(
    organizationId: string,
    kind: AssignmentKind,
    guardrailId: string,
    references: readonly string[],
  ): Promise<ObjectsOfSection[]> {
    return [
      { section: 'guardrails', ids: await this.repository.others(organizationId, kind, guardrailId, references) },
    ];
  }
}
