import { Checkbox, MultiSelect, Select, Switch, TextField } from '@headwater/web-kit'
import type { Tile } from '../../../contract/index.ts'
import styles from '../../components/Editor.module.css'
import { EntryList } from '../../components/EntryList.tsx'
import { useInsightData } from '../../sources/insight-data.ts'
import { menuAction, type MenuAction, type TableTile } from '../../../contract/tiles/table/table-tile.ts'

/** The actions that a table has in the menu of a row, besides those of every table. */
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
  const actions = table.contextMenuActions
  return (
    <>
      <p className={styles.heading}>Row menu</p>
      <Switch
        label="Custom actions"
        checked={table.customActionsEnabled}
        onChange={(customActionsEnabled) => onChange({ customActionsEnabled })}
      />
      {table.customActionsEnabled ? (
        <EntryList
          kind="Action"
          entries={actions}
          newEntry={() => menuAction.parse({})}
          onChange={(contextMenuActions, topic) => onChange({ contextMenuActions }, topic)}
        >
          {(action, set) => (
            <>
              <Select
                label="Action"
                value={action.type}
                options={[
                  { value: 'previewDetails', label: 'Preview details' },
                  { value: 'scrollToTile', label: 'Scroll to a tile' },
                ]}
                onChange={(type) => set({ type: (type ?? 'previewDetails') as MenuAction['type'] })}
              />
              <TextField
                label="Menu text"
                value={action.label}
                maxLength={100}
                onChange={(label) => set({ label })}
              />
              <MultiSelect
                label="Tiles"
                value={action.tileIds}
                options={others}
                hint={
                  action.type === 'previewDetails'
                    ? 'These tiles show the series of the row.'
                    : 'Scrolls to the first of these tiles.'
                }
                onChange={(tileIds) => set({ tileIds: [...tileIds] })}
              />
              {action.type === 'previewDetails' ? (
                <Checkbox
                  label="Scroll to the tiles"
                  checked={action.scrollOnPreview}
                  onChange={(scrollOnPreview) => set({ scrollOnPreview })}
                />
              ) : null}
            </>
          )}
        </EntryList>
      ) : null}
    </>
  )
}
