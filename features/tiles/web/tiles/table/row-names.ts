import type { RowId } from '../../../core/tiles/table/table-tile.ts'

/** Kinds of rows in words. */
export const rowNames: Readonly<Record<RowId, string>> = {
  Header: 'Header',
  'Row 1': 'Odd rows',
  'Row 2': 'Even rows',
  Footer: 'Footer',
}
