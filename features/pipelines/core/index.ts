export {
  type ComparedField,
  type ComparedPipeline,
  pipelineDifference,
  type PipelineDifference,
  pipelineFields,
  type TaskChange,
  taskFields,
} from './difference.ts'
export { refusalOf, type PipelineUse } from './refusal.ts'
export { linksOf, withNextTasks } from './links.ts'
export {
  linksBefore,
  providersIn,
  runOrder,
  RunOrderError,
  tasksBefore,
  type LinkBefore,
} from './run-order.ts'
