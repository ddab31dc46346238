import { type FormItems, SchemaForm } from '@headwater/web-kit'
import styles from '../../editor/Editor.module.css'
import type { TileEditorProps } from '../tile-view.ts'
import { statusTile, workflowKindOf, type StatusTile } from './workflow-tile.ts'

const items: FormItems<StatusTile> = [
  [
    { field: 'limit', label: 'Limit' },
    { field: 'autoRefreshInterval', label: 'Refresh every' },
  ],
]

/** The settings of a workflow tile. */
export default function WorkflowEditor({ tile, onChange, commonFields }: TileEditorProps) {
  return (
    <div className={styles.fields}>
      <p className={styles.quiet}>
        {workflowKindOf(tile.type)?.text} Its other settings cannot be changed yet. They are stored unchanged.
      </p>
      {tile.type === 'STATUS' ? (
        <SchemaForm schema={statusTile} items={items} value={statusTile.parse(tile)} onChange={onChange} />
      ) : null}
      {commonFields}
    </div>
  )
}
