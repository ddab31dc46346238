import { useProductConfig } from './product.ts'

/**
 * The line of a deletion dialog that mentions the trash.
 * @param otherwise text for installations without a trash; default none
 */
export function TrashNote({ otherwise }: { otherwise?: string }) {
  const { warehouseOnly } = useProductConfig()
  if (warehouseOnly) return <p>You can restore it from the trash for a limited time.</p>
  return otherwise === undefined ? null : <p>{otherwise}</p>
}
