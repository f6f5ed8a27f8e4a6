import { Injectable } from '@nestjs/common';
import { isModelFor } from '../../../../telemetry/operations.js';
import type { CatalogModel } from '../../../catalog/catalog-model.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { ANSWER_PLACES, appliesTo } from '../../../content/content-filters.js';
import type { ReadyInspector } from '../../../inspectors/judging/judgement.js';
import {
  type JudgeQuestion,
  judgeQuestionOf,
  type ModelInspectorSettings,
} from '../../../inspectors/protocols/model.js';
import { PromptTokens } from '../admission/prompt-tokens.js';
import { CandidatesService } from '../candidates/candidates.service.js';
import { needsOf } from '../candidates/endpoint-needs.js';
import type { CandidateInputs } from '../context/request-inputs.js';
import { knownModel, type RequestedModel } from '../context/requested-models.js';
import type { ExpectedAnswer, JudgedRequest } from './judged-request.js';
import { JudgePrice } from './judge-price.js';
import type { DataWishes, JudgeModel, Judging } from './judging.js';
import type { GrowingCost } from './judging-worst-case.js';

/** The most bytes of UTF-8 that a token of an answer is expected to have in the long run. */
const BYTES_OF_TOKEN = 8;

/** How many texts a choice of an answer is expected to have, each of which is judged by itself: what it says, thinks, refuses, and a call. */
const TEXTS_OF_CHOICE = 4;

/** The longest result of a tool that is paid for, in bytes of UTF-8. */
const BYTES_OF_RESULT = 262_144;

const NOTHING: GrowingCost = { fixed: 0n, perToken: 0n };

/** What chats with judge models ask of endpoints. */
const JUDGING = { name: 'chat', needsOf } as const;

/** Finds the judge models of requests, and what they may cost (docs/interface/inspectors.md#model). */
@Injectable()
export class JudgeModels {
  constructor(
    private readonly candidates: CandidatesService,
    private readonly promptTokens: PromptTokens,
  ) {}

  /** How the judge models among the inspectors of a request are asked, and what they may cost for it. @param inspectors at least one */
  async of(inspectors: readonly ReadyInspector[], request: JudgedRequest): Promise<Judging> {
    const { said, wishes } = request;
    const judges: JudgeModel[] = [];
    for (const inspector of inspectors) judges.push(await this.judgeOf(inspector, request));
    const costs = judges.map((judge) => ({
      isByok: judge.candidates[0]?.isByok === true,
      cost: sumOf([costOfTexts(judge, request), costOfExpected(judge, request)]),
    }));
    const costThrough = (isByok: boolean): GrowingCost =>
      sumOf(costs.filter((one) => one.isByok === isByok).map(({ cost }) => cost));
    const worstCase = { ofDeployment: costThrough(false), ofOrganization: costThrough(true) };
    const isFree = Object.values(worstCase).every(({ fixed, perToken }) => fixed === 0n && perToken === 0n);
    return { judges, said, wishes, ...(!isFree && { worstCase }) };
  }

  private async judgeOf(
    inspector: ReadyInspector,
    { caller, at, policy, inputs, wishes }: JudgedRequest,
  ): Promise<JudgeModel> {
    const settings = inspector.settings as ModelInspectorSettings;
    const requested = this.modelOf(settings.model, inputs);
    if (requested === undefined) return { inspector, settings, candidates: [] };
    const question = judgeQuestionOf(settings, { place: 'request', texts: [] }, undefined);
    const body = judgeBodyOf(question, wishes);
    const { candidates: found } = await this.candidates.of(JUDGING, {
      caller,
      models: [requested],
      // Who has chosen the judge has not chosen among the models that requests may name.
      policy: {
        ...policy,
        observers: [],
        refusalsOf: (...endpoint) => policy.refusalsOf(...endpoint).filter((refusal) => refusal !== 'model'),
      },
      context: inputs.context,
      connections: inputs.connections,
      conversation: undefined,
      thoughts: undefined,
      body,
      isFreeOnly: false,
    });
    const candidates = found.filter(({ isByok }) => isByok === found[0]!.isByok);
    if (candidates.length === 0) return { inspector, settings, candidates };
    const { organizationId } = caller;
    const price = new JudgePrice(candidates, at, body, question.templateTokens, (size) =>
      this.promptTokens.boundOf(organizationId, requested.model.row, size),
    );
    return { inspector, settings, candidates, price };
  }

  /** @returns undefined for a model that is gone, or has no chats */
  private modelOf(name: string, { catalog, privateModels }: CandidateInputs): RequestedModel | undefined {
    const requested = knownModel(catalog, name);
    if (requested === undefined) return undefined;
    const model: CatalogModel = privateModels.extended(requested.model);
    return isModelFor('chat', model.row.architecture.output_modalities) ? { ...requested, model } : undefined;
  }
}

/** The chat in which a question is asked: where its data may go is what the request says of its own. */
export function judgeBodyOf({ messages, maxTokens, isJson }: JudgeQuestion, wishes: DataWishes): ClientChatRequest {
  return {
    messages: [...messages],
    max_tokens: maxTokens,
    temperature: 0,
    ...(isJson && { response_format: { type: 'json_object' } }),
    ...wishes,
  };
}

/** The bytes of the texts of a question, in UTF-8. */
export function bytesOfQuestion({ messages }: JudgeQuestion): number {
  return messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
}

/** What the texts of a request cost to judge: one question for each place. */
function costOfTexts(
  { inspector, settings, price }: JudgeModel,
  { texts: inPlaces, said }: JudgedRequest,
): GrowingCost {
  const costs = inPlaces
    .filter(({ place, texts }) => texts.length > 0 && appliesTo({ applies_to: inspector.appliesTo }, [place]))
    .map((input) => judgeQuestionOf(settings, input, said))
    .map((question) => price?.costOf(bytesOfQuestion(question), question) ?? 0n);
  return { fixed: costs.reduce((sum, cost) => sum + cost, 0n), perToken: 0n };
}

/** What is expected of a request costs to judge. */
function costOfExpected(judge: JudgeModel, { expected, said }: JudgedRequest): GrowingCost {
  if (expected === undefined) return NOTHING;
  return expected === 'tool_result' ? costOfResult(judge) : costOfAnswer(judge, expected, said);
}

/** What the result of a tool costs to judge: one question, whose texts are as long as one that is paid for may be. */
function costOfResult({ inspector, settings, price }: JudgeModel): GrowingCost {
  if (price === undefined || !appliesTo({ applies_to: inspector.appliesTo }, ['tool_result'])) return NOTHING;
  const question = judgeQuestionOf(settings, { place: 'tool_result', texts: [''] }, undefined);
  return { fixed: price.costOf(bytesOfQuestion(question) + BYTES_OF_RESULT, question), perToken: 0n };
}

/** What an answer costs to judge: in windows where it is a stream that a window holds up, else each text as a whole. */
function costOfAnswer(
  { inspector, settings, price }: JudgeModel,
  { choices, isStreamed }: ExpectedAnswer,
  said: string | undefined,
): GrowingCost {
  const places = ANSWER_PLACES.filter((place) => appliesTo({ applies_to: inspector.appliesTo }, [place]));
  if (places.length === 0 || price === undefined) return NOTHING;
  const { window, mode } = inspector;
  const question = judgeQuestionOf(settings, { place: 'response', texts: [''] }, said);
  const form = bytesOfQuestion(question);
  const texts = choices * TEXTS_OF_CHOICE;
  const isWhole = window === 'whole' || !isStreamed || mode === 'observe';
  if (isWhole) {
    return {
      fixed: price.costOf(texts * form, question, texts),
      perToken: BigInt(choices) * price.costOf(BYTES_OF_TOKEN, question, 0),
    };
  }
  const { characters, overlap } = window;
  const windows = BYTES_OF_TOKEN / (characters - overlap);
  const ofWindow = form + characters;
  return {
    fixed: price.costOf(texts * ofWindow, question, texts),
    perToken: BigInt(choices) * price.costOf(windows * ofWindow, question, windows),
  };
}

function sumOf(costs: readonly GrowingCost[]): GrowingCost {
  return {
    fixed: costs.reduce((sum, { fixed }) => sum + fixed, 0n),
    perToken: costs.reduce((sum, { perToken }) => sum + perToken, 0n),
  };
}
