export { InspectorsModule } from './inspectors.module.js';
export { InspectorsInForce } from './inspectors-in-force.service.js';
export { InspectorJudge } from './judging/inspector-judge.js';
export type { Judgement, ReadyInspector } from './judging/judgement.js';
export type { InspectionContext } from './protocols/inspection-protocol.js';
