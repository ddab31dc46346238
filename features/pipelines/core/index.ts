export {
  pipelineDifference,
  type ComparedPipeline,
  type PipelineDifference,
  type TaskChange,
} from './difference.ts'
export { refusalOf, type PipelineUse } from './refusal.ts'
export { linksOf, withNextTasks } from './links.ts'
export { providersIn, runOrder, RunOrderError, tasksBefore } from './run-order.ts'
