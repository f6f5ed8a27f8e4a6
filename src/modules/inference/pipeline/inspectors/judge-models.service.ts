import { Injectable } from '@nestjs/common';
import { isModelFor } from '../../../../telemetry/operations.js';
import type { CatalogModel } from '../../../catalog/catalog-model.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { ANSWER_PLACES, appliesTo, REQUEST_PLACES } from '../../../content/content-filters.js';
import type { ReadyInspector } from '../../../inspectors/judging/judgement.js';
import {
  type JudgeQuestion,
  judgeQuestionOf,
  type ModelInspectorSettings,
} from '../../../inspectors/protocols/model.js';
import { PromptTokens } from '../admission/prompt-tokens.js';
import { CandidatesService } from '../candidates/candidates.service.js';
import { needsOf } from '../candidates/endpoint-needs.js';
import { demandsZeroRetention } from '../candidates/zero-retention.js';
import { knownModel, type RequestedModel } from '../context/requested-models.js';
import type { Decision } from '../request/decision.js';
import type { ArrivedRequest } from '../request/inference-request.js';
import type { InferenceOperation, RoutedBody } from '../request/operation.js';
import { JudgePrice } from './judge-price.js';
import type { JudgeModel, Judging } from './judging.js';
import type { GrowingCost } from './judging-worst-case.js';
import { placeOfText } from './request-inspection.js';

/** How much of what the user has said is read before an answer, in UTF-16 code units. */
const SAID_CHARACTERS = 1_024;

/** The most bytes of UTF-8 that a token of an answer is expected to have in the long run. */
const BYTES_OF_TOKEN = 8;

/** How many texts a choice of an answer is expected to have, each of which is judged by itself: what it says, thinks, refuses, and a call. */
const TEXTS_OF_CHOICE = 4;

/** What chats with judge models ask of endpoints. */
const JUDGING = { name: 'chat', needsOf } as const;

/** Finds the judge models of requests, and what they may cost (docs/interface/inspectors.md#model). */
@Injectable()
export class JudgeModels {
  constructor(
    private readonly candidates: CandidatesService,
    private readonly promptTokens: PromptTokens,
  ) {}

  /**
   * The judge models of the policy of a request, whose candidates are known.
   *
   * @returns undefined where its policy names none
   */
  async of<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    request: ArrivedRequest,
    decision: Decision<Body>,
  ): Promise<Judging | undefined> {
    const at = request.createdAt ?? new Date();
    const inspectors = decision.inspection?.models ?? [];
    if (inspectors.length === 0) return undefined;
    const texts = operation.texts.scannedIn(decision.inspected!);
    const said = texts
      .findLast(({ role, kind, text }) => role === 'user' && kind !== 'address' && text.trim() !== '')
      ?.text.slice(-SAID_CHARACTERS)
      .toWellFormed();
    const judges: JudgeModel[] = [];
    for (const inspector of inspectors) judges.push(await this.judgeOf(inspector, request, decision, at));
    const inPlaces = REQUEST_PLACES.map((place) => ({
      place,
      texts: texts.flatMap((text) => (placeOfText(text) === place && text.text.trim() !== '' ? [text.text] : [])),
    }));
    const { answer } = operation.sizeOf(decision.inspected!);
    // A transcript is an answer, although its tokens are not asked for.
    const hasAnswer = answer !== undefined || operation.name === 'transcription';
    const isStreamed = (decision.inspected as { readonly stream?: unknown }).stream === true;
    const size = { choices: answer?.choices ?? 1, isStreamed, said };
    const costs = judges.map((judge) => ({
      isByok: judge.candidates[0]?.isByok === true,
      cost: sumOf([costOfRequest(judge, inPlaces), ...(hasAnswer ? [costOfAnswer(judge, size)] : [])]),
    }));
    const costThrough = (isByok: boolean): GrowingCost =>
      sumOf(costs.filter((one) => one.isByok === isByok).map(({ cost }) => cost));
    const worstCase = { ofDeployment: costThrough(false), ofOrganization: costThrough(true) };
    const isFree = Object.values(worstCase).every(({ fixed, perToken }) => fixed === 0n && perToken === 0n);
    return { judges, said, ...(!isFree && { worstCase }) };
  }

  private async judgeOf<Body extends RoutedBody>(
    inspector: ReadyInspector,
    { caller }: ArrivedRequest,
    decision: Decision<Body>,
    at: Date,
  ): Promise<JudgeModel> {
    const settings = inspector.settings as ModelInspectorSettings;
    const requested = this.modelOf(settings.model, decision);
    if (requested === undefined) return { inspector, settings, candidates: [] };
    const question = judgeQuestionOf(settings, { place: 'request', texts: [] }, undefined);
    const body = judgeBodyOf(question, decision);
    const { policy, inputs } = decision;
    const { candidates: found } = await this.candidates.of(JUDGING, {
      caller,
      models: [requested],
      // Who has chosen the judge has not chosen among the models that requests may name.
      policy: {
        ...policy!,
        observers: [],
        refusalsOf: (...endpoint) => policy!.refusalsOf(...endpoint).filter((refusal) => refusal !== 'model'),
      },
      ...inputs!,
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
  private modelOf(name: string, { inputs }: Decision<unknown>): RequestedModel | undefined {
    const { catalog, privateModels } = inputs!;
    const requested = knownModel(catalog, name);
    if (requested === undefined) return undefined;
    const model: CatalogModel = privateModels.extended(requested.model);
    return isModelFor('chat', model.row.architecture.output_modalities) ? { ...requested, model } : undefined;
  }
}

/** The chat in which a question is asked: where its data may go is what the request says of its own. */
export function judgeBodyOf(
  { messages, maxTokens, isJson }: JudgeQuestion,
  decision: Decision<RoutedBody>,
): ClientChatRequest {
  const { provider, inference_geo: place } = decision.body;
  return {
    messages: [...messages],
    max_tokens: maxTokens,
    temperature: 0,
    ...(isJson && { response_format: { type: 'json_object' } }),
    ...(place != null && { inference_geo: place as NonNullable<ClientChatRequest['inference_geo']> }),
    provider: {
      ...(demandsZeroRetention(decision) && { zdr: true }),
      ...(provider?.data_collection !== undefined && { data_collection: provider.data_collection }),
    },
  };
}

/** The bytes of the texts of a question, in UTF-8. */
export function bytesOfQuestion({ messages }: JudgeQuestion): number {
  return messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
}

function costOfRequest(
  { inspector, settings, price }: JudgeModel,
  inPlaces: readonly { readonly place: (typeof REQUEST_PLACES)[number]; readonly texts: readonly string[] }[],
): GrowingCost {
  const costs = inPlaces
    .filter(({ place, texts }) => texts.length > 0 && appliesTo({ applies_to: inspector.appliesTo }, [place]))
    .map((input) => judgeQuestionOf(settings, input, undefined))
    .map((question) => price?.costOf(bytesOfQuestion(question), question) ?? 0n);
  return { fixed: costs.reduce((sum, cost) => sum + cost, 0n), perToken: 0n };
}

/** What an answer costs to judge: in windows where it is a stream that a window holds up, else each text as a whole. */
function costOfAnswer(
  { inspector, settings, price }: JudgeModel,
  {
    choices,
    isStreamed,
    said,
  }: { readonly choices: number; readonly isStreamed: boolean; readonly said?: string | undefined },
): GrowingCost {
  const places = ANSWER_PLACES.filter((place) => appliesTo({ applies_to: inspector.appliesTo }, [place]));
  if (places.length === 0 || price === undefined) return { fixed: 0n, perToken: 0n };
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
