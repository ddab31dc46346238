import { createSlot, type LazyPart } from '@headwater/web-kit'
import type { ValueType } from '../contract/index.ts'
import type { ParamControlProps } from './params/value-controls.tsx'

/** Control and display of the parameters whose values name objects of a later feature. */
export interface ParamControl {
  /** Type of the values. */
  valueType: ValueType
  /** The control, loaded on demand. */
  Control: LazyPart<ParamControlProps>
  /** Name of the object of a value, where it cannot be changed; loaded on demand. */
  Name: LazyPart<{ value: string }>
}

/** Controls of parameters, at most one for each type of value. */
export const paramControls = createSlot<ParamControl>('parameter controls')
