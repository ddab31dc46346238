import styles from '../../components/Editor.module.css'
import type { TileEditorProps } from '../tile-view.ts'
import { workflowKindOf } from './workflow-tile.ts'

/** The settings of a tile that belongs to pipelines: those of every tile. */
export default function WorkflowEditor({ tile, commonFields }: TileEditorProps) {
  return (
    <div className={styles.fields}>
      <p className={styles.quiet}>
        {workflowKindOf(tile.type)?.text} Its other settings cannot be changed in this version; what is stored
        is kept.
      </p>
      {commonFields}
    </div>
  )
}
