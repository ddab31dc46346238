import type { Tile } from '@headwater/tile-data/contract'
import { menuAction, type MenuAction, tableTile, type TableTile } from '@headwater/tile-data/core'
import { useInsightData } from '@headwater/tile-data/web'
import { type FormItems, MultiSelect, type Option, SchemaForm } from '@headwater/web-kit'
import styles from '../../editor/Editor.module.css'
import { EntryList } from '../../editor/EntryList.tsx'

/** The custom actions in the menu of a row. */
export function ActionFields({
  tile,
  table,
  onChange,
}: {
  tile: Tile
  table: TableTile
  onChange: (fields: Partial<Tile>, topic?: string) => void
}) {
  const { content } = useInsightData()
  const others = content.tiles
    .filter(({ id }) => id !== tile.id)
    .map(({ id, title }) => ({ value: id, label: title || 'Untitled' }))
  return (
    <>
      <p className={styles.heading}>Row menu</p>
      <SchemaForm
        schema={tableTile}
        items={[{ field: 'customActionsEnabled', label: 'Custom actions' }]}
        value={table}
        onChange={onChange}
      />
      {table.customActionsEnabled ? (
        <EntryList
          kind="Action"
          schema={menuAction}
          items={actionItems(others)}
          entries={table.contextMenuActions}
          onChange={(contextMenuActions, topic) => onChange({ contextMenuActions }, topic)}
        />
      ) : null}
    </>
  )
}

function actionItems(tiles: readonly Option[]): FormItems<MenuAction> {
  return [
    {
      field: 'type',
      label: 'Action',
      choices: { previewDetails: 'Preview details', scrollToTile: 'Scroll to a tile' },
    },
    { field: 'label', label: 'Menu text', maxLength: 100 },
    {
      field: 'tileIds',
      label: 'Tiles',
      hint: ({ type }) =>
        type === 'previewDetails'
          ? 'These tiles show the series of the row.'
          : 'Scrolls to the first of these tiles.',
      control: ({ onChange, ...props }) => (
        <MultiSelect {...props} options={tiles} onChange={(ids) => onChange([...ids])} />
      ),
    },
    {
      field: 'scrollOnPreview',
      label: 'Scroll to the tiles',
      as: 'checkbox',
      when: ({ type }) => type === 'previewDetails',
    },
  ]
}
