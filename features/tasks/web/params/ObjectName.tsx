import { type ReactNode, Suspense } from 'react'
import { useSlot } from '@headwater/web-kit'
import type { ValueType } from '../../contract/index.ts'
import { paramControls } from '../slots.ts'

/** Renders the name of the object that a value refers to, if a later feature provides it; otherwise renders `children`. */
export function ObjectName({
  valueType,
  value,
  children,
}: {
  /** Type of the value; undefined if it is unknown. */
  valueType: ValueType | undefined
  value: string
  children: ReactNode
}) {
  const Name = useSlot(paramControls).find((each) => each.valueType === valueType)?.Name
  if (Name === undefined || value === '') return children
  return (
    <Suspense fallback={children}>
      <Name value={value} />
    </Suspense>
  )
}
