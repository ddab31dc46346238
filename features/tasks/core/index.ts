export { branchLabel } from './branches.ts'
export { visibleParams, type ConditionedParam } from './conditions/conditions.ts'
export { findOperator, operatorSpellings, type ConditionOperator } from './conditions/operators.ts'
export { builtInParamLabel } from './param-label.ts'
export { taskDifference, type ComparedTask, type SettingChange } from './task-difference.ts'
export {
  isEmailAddress,
  listOf,
  listText,
  objectValue,
  parseDuration,
  parseObjectValue,
  problemOfValue,
  seriesValue,
  valueTypeLabels,
} from './value-types.ts'
