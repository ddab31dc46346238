import type { RowId } from '@headwater/tile-data/core'

/** Labels of the kinds of rows. */
export const rowNames: Readonly<Record<RowId, string>> = {
  Header: 'Header',
  'Row 1': 'Odd rows',
  'Row 2': 'Even rows',
  Footer: 'Footer',
}
