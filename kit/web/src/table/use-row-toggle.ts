import { useCallback, useRef } from 'react'
import type { DataTableProps } from './table-props.ts'

/**
 * Returns a function that selects or deselects a row. With `range`, it selects all rows between the last toggled row and
 * this one.
 */
export function useRowToggle<Row>({
  rows = [],
  rowKey,
  selected,
  onSelectedChange,
}: Pick<DataTableProps<Row>, 'rows' | 'rowKey' | 'selected' | 'onSelectedChange'>) {
  const anchor = useRef(0)
  return useCallback(
    (index: number, range: boolean) => {
      if (!selected || !onSelectedChange) return
      const next = new Set(selected)
      const key = rowKey(rows[index]!, index)
      if (range) {
        const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)]
        for (let each = from; each <= to; each++) next.add(rowKey(rows[each]!, each))
      } else if (!next.delete(key)) next.add(key)
      anchor.current = index
      onSelectedChange(next)
    },
    [onSelectedChange, rowKey, rows, selected],
  )
}
