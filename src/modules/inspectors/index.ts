export { InspectorsModule } from './inspectors.module.js';
export { InspectorsInForce } from './inspectors-in-force.service.js';
export { InspectorJudge } from './judging/inspector-judge.js';
export type { AskModel, Judgement, ReadyInspector } from './judging/judgement.js';
export type { InspectionContext, InspectionInput, Verdict } from './protocols/inspection-protocol.js';
export { type JudgeQuestion, judgeQuestionOf, judgeVerdictOf, type ModelInspectorSettings } from './protocols/model.js';
