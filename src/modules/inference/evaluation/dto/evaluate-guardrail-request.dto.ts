import { issuesInside, type IssueWithReason } from '../../../../http/errors/issue.js';
import { InferenceBody } from '../../../../http/input/body-limit.js';
import { isObject } from '../../../../http/validation/constraints.js';
import {
  EnumField,
  ObjectField,
  selectedClass,
  SelectedObjectField,
  TextField,
  UuidField,
} from '../../../../http/validation/fields.js';
import type { DtoClass } from '../../../../http/validation/dto-fields.js';
import { type BodyRule, RequestRules, Rules, rulesOf } from '../../../../http/validation/rules.js';
import { CreateGuardrailRequest, UpdateGuardrailRequest } from '../../../guardrails/dto/guardrail.dto.js';
import { DEFAULT_PATH, EVALUATED_PATHS, EVALUATED_TYPES, type EvaluatedPath } from '../../operations/index.js';
import { AnswerToEvaluate } from './evaluated-answer.dto.js';
import { UnsavedPatternRule } from '../unsaved-pattern-rule.js';

type Body = Readonly<Record<string, unknown>>;

/** What is wrong with an object by itself is wrong in its field as well. @param typeOf its class; undefined where none is named */
function rulesInside(field: string, typeOf: (body: Body) => DtoClass | undefined): BodyRule {
  return (body) => {
    const value = body[field];
    const type = typeOf(body);
    if (!isObject(value) || type === undefined) return [];
    return issuesInside(
      field,
      rulesOf(type).flatMap((rule) => rule(value)),
    );
  };
}

/** A key has its member and its workspace already. */
function oneHolder({ api_key_hash: hash, ...others }: Body): IssueWithReason[] {
  if (hash === undefined) return [];
  return ['user_id', 'workspace_id']
    .filter((name) => others[name] !== undefined)
    .map((path) => ({ path, message: 'must not stand together with api_key_hash' }));
}

/** The guardrail that is tried. */
export class EvaluatedGuardrailPath {
  @TextField({ description: 'The id of the guardrail.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60' })
  id: string;
}

/** A request of inference, and to whom the guardrail would be assigned. */
@InferenceBody()
@Rules(rulesInside('request', ({ operation }) => selectedClass(EVALUATED_TYPES, operation)), oneHolder)
export class RequestToEvaluate {
  @EnumField(EVALUATED_PATHS, {
    description: 'The operation whose body `request` is, by its path.',
    example: DEFAULT_PATH,
    default: DEFAULT_PATH,
    optional: true,
  })
  operation?: EvaluatedPath;

  @SelectedObjectField('operation', EVALUATED_TYPES, {
    description: 'The body of a request, by default that of a chat completion. It is sent to no provider.',
    example: { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Write to jane.doe@example.com' }] },
  })
  request: object;

  @ObjectField(() => AnswerToEvaluate, {
    description: 'An answer of a model, to see what the filters of answers would make of it.',
    example: { content: 'Write to jane.doe@example.com' },
    optional: true,
  })
  answer?: AnswerToEvaluate;

  @TextField({
    description: 'The hash of a key: the guardrail is tried as if it were assigned to that key.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    minLength: 1,
    optional: true,
  })
  api_key_hash?: string;

  @TextField({
    description: 'A member: the guardrail is tried as if it were assigned to the member, with a new key of theirs.',
    example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    minLength: 1,
    optional: true,
  })
  user_id?: string;

  @UuidField({
    description:
      'The workspace of the new key, where none is named. By default that of a default guardrail, else the default workspace.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    optional: true,
  })
  workspace_id?: string;
}

/** What the guardrail is tried with. */
@Rules(rulesInside('guardrail', () => UpdateGuardrailRequest))
@RequestRules(UnsavedPatternRule)
export class EvaluateGuardrailRequest extends RequestToEvaluate {
  @ObjectField(() => UpdateGuardrailRequest, {
    description:
      'Changes, in the form of an update: the guardrail is tried as if they were saved. By default it is tried as it is.',
    example: { content_filter_builtins: [{ slug: 'email', action: 'block' }] },
    optional: true,
  })
  guardrail?: UpdateGuardrailRequest;
}

/** A guardrail that does not exist, and what it is tried with. */
@Rules(rulesInside('guardrail', () => CreateGuardrailRequest))
@RequestRules(UnsavedPatternRule)
export class EvaluateGuardrailDraftRequest extends RequestToEvaluate {
  @ObjectField(() => CreateGuardrailRequest, {
    description: 'The guardrail, in the form in which one is created.',
    example: { name: 'Production', content_filter_builtins: [{ slug: 'email', action: 'block' }] },
  })
  guardrail: CreateGuardrailRequest;
}
