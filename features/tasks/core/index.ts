export { branchLabel } from './branches.ts'
export { meetsCondition, visibleParams, type ConditionedParam } from './conditions/conditions.ts'
export {
  findOperator,
  operatorLabels,
  operatorSpellings,
  operatorsWithoutValue,
  type ConditionOperator,
} from './conditions/operators.ts'
export {
  taskDifference,
  type ComparedTask,
  type ScriptChange,
  type SettingChange,
} from './task-difference.ts'
export {
  listOf,
  listText,
  objectValue,
  parseDuration,
  parseObjectValue,
  problemOfValue,
  seriesValue,
  valueTypeLabels,
  type ObjectValue,
  type SeriesValue,
} from './value-types.ts'
