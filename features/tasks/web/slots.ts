import { createSlot, type LazyPart } from '@headwater/web-kit'
import type { ValueType } from '../contract/index.ts'
import type { ParamControlProps } from './params/value-controls.tsx'

/** Control and display of parameters with values that refer to objects of a later feature. */
export interface ParamControl {
  /** Value type of the parameters. */
  valueType: ValueType
  /** The control, loaded on demand. */
  Control: LazyPart<ParamControlProps>
  /** Displays the name of the object, where it cannot be changed; loaded on demand. */
  Name: LazyPart<{ value: string }>
}

/** Controls of parameters, at most one per value type. */
export const paramControls = createSlot<ParamControl>('parameter controls')
