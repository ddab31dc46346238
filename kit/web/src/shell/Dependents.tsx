import { PartBoundary } from './lazy-part.ts'
import { useSlot } from './slots.ts'
import { objectDependents, type UsedObject } from './used-objects.ts'

/** Lists in a deletion dialog what uses the object. Renders nothing while `object` is undefined. */
export function Dependents({ object }: { object: UsedObject | undefined }) {
  const parts = useSlot(objectDependents)
  if (object === undefined) return null
  return parts.map((Part, index) => (
    <PartBoundary key={index} fallback={null}>
      <Part object={object} />
    </PartBoundary>
  ))
}
