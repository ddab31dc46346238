import { useWindowMatches } from '../ui/use-window-matches.ts'
import { useProductConfig } from './product.ts'

/**
 * The line of a deletion dialog that mentions the trash.
 * @param what what is deleted, such as “the group”; default “it”
 * @param after whether the line follows the sentence “You can't undo this action.”
 * @param otherwise text for installations without a trash; default none
 */
export function TrashNote({
  what = 'it',
  after,
  otherwise,
}: {
  what?: string
  after?: 'noUndo'
  otherwise?: string
}) {
  const { warehouseOnly, trashDays } = useProductConfig()
  // The mobile layout has no page of the trash.
  const isNarrow = useWindowMatches('(width < 768px)')
  if (!warehouseOnly) return otherwise === undefined ? null : <p>{otherwise}</p>
  const days = trashDays === 1 ? '1 day' : `${trashDays.toLocaleString('en-US')} days`
  return (
    <p>
      {after === 'noUndo'
        ? `The only way to get ${what} back is to restore it from the trash within ${days}.`
        : `You can restore ${what} from the trash for ${days}.`}{' '}
      After that, the deletion is permanent.
      {isNarrow ? ' The trash can be opened in a window at least 768 pixels wide.' : ''}
    </p>
  )
}
