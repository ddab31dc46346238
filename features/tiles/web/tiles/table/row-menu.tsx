import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconFocus2 from '@tabler/icons-react/dist/esm/icons/IconFocus2.mjs'
import IconListDetails from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs'
import IconRowInsertBottom from '@tabler/icons-react/dist/esm/icons/IconRowInsertBottom.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type MenuEntry, message } from '@headwater/web-kit'
import type { RowAction } from './use-row-actions.ts'
import type { TableRows } from './use-table-rows.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Returns the entries of the context menu of a row. */
export function rowMenu(
  row: readonly string[],
  { columns, typed, positionOf }: Pick<TableRows, 'columns' | 'typed' | 'positionOf'>,
  actions: readonly RowAction[],
  onDetails: () => void,
): MenuEntry[] {
  const copy = () =>
    void navigator.clipboard
      .writeText(columns.map(({ result: { index } }) => row[index]).join('\t'))
      .then(() => message('The row has been copied.'))
  return [
    { label: 'Copy row', icon: <IconCopy {...icon} />, onClick: copy },
    { label: 'Preview details', icon: <IconListDetails {...icon} />, onClick: onDetails },
    ...(actions.length === 0 ? [] : (['divider'] as const)),
    ...actions.map(({ label, isScroll, run }): MenuEntry => ({
      label,
      icon: isScroll ? <IconFocus2 {...icon} /> : <IconListDetails {...icon} />,
      onClick: () => run(row),
    })),
    ...(typed.isEditable ? typedRowEntries(typed, positionOf(row)) : []),
  ]
}

function typedRowEntries(typed: TableRows['typed'], position: number): MenuEntry[] {
  return [
    'divider',
    {
      label: 'Add row',
      icon: <IconRowInsertBottom {...icon} />,
      shortcut: 'insert',
      onClick: () => typed.add(position),
    },
    {
      label: 'Duplicate row',
      icon: <IconCopy {...icon} />,
      shortcut: 'mod+d',
      onClick: () => typed.duplicate(position),
    },
    {
      label: 'Delete row',
      icon: <IconTrash {...icon} />,
      danger: true,
      onClick: () => typed.remove(position),
    },
  ]
}
