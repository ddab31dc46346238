import type { RowId } from '../../../core/tiles/table/table-tile.ts'

/** Labels of the kinds of rows. */
export const rowNames: Readonly<Record<RowId, string>> = {
  Header: 'Header',
  'Row 1': 'Odd rows',
  'Row 2': 'Even rows',
  Footer: 'Footer',
}
