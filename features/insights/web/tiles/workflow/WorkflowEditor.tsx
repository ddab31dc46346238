import { NumberField } from '@headwater/web-kit'
import styles from '../../components/Editor.module.css'
import type { TileEditorProps } from '../tile-view.ts'
import { maxStatusLimit, statusTile, workflowKindOf } from './workflow-tile.ts'

/** The settings of a tile that belongs to pipelines: those of every tile, and the numbers of a status tile. */
export default function WorkflowEditor({ tile, onChange, commonFields }: TileEditorProps) {
  const status = statusTile.parse(tile)
  const set = (fields: object) => {
    const { limit, autoRefreshInterval } = statusTile.parse({ ...status, ...fields })
    onChange({ limit, autoRefreshInterval }, Object.keys(fields).join())
  }
  return (
    <div className={styles.fields}>
      <p className={styles.quiet}>
        {workflowKindOf(tile.type)?.text} Its other settings cannot be changed in this version; what is stored
        is kept.
      </p>
      {tile.type === 'STATUS' ? (
        <div className={styles.pair}>
          <NumberField
            label="Limit"
            value={status.limit}
            min={1}
            max={maxStatusLimit}
            onChange={(limit) => set({ limit })}
          />
          <NumberField
            label="Refresh every (s)"
            value={status.autoRefreshInterval}
            min={1}
            onChange={(autoRefreshInterval) => set({ autoRefreshInterval })}
          />
        </div>
      ) : null}
      {commonFields}
    </div>
  )
}
