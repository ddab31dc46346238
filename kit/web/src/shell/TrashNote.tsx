import { useProductConfig } from './product.ts'

/** The line of a deletion dialog that mentions the trash; nothing in an installation without one. */
export function TrashNote() {
  const { warehouseOnly } = useProductConfig()
  return warehouseOnly ? <p>Until its time there is over, you can restore it from the trash.</p> : null
}
