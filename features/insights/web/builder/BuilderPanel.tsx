import { type ReactNode, Suspense } from 'react'
import { Skeleton } from '@headwater/web-kit'
import type { InsightContent, Tile, TileDataPrep } from '../../contract/index.ts'
import { CommonFields } from '../components/CommonFields.tsx'
import styles from './BuilderPanel.module.css'
import { dataPrepOf } from './draft.ts'
import { newChartKinds, newDataKinds, newWorkflowKinds, type NewTileKind } from './new-tile-kinds.tsx'
import { tileKindOf } from '../tiles/tile-kinds.ts'
import { useSeesWorkflows } from '../tiles/visible-tiles.ts'

/** The panel at the right of the builder: the settings of the selected tile, or what can be added. */
export function BuilderPanel({
  content,
  selectedId,
  onAdd,
  onChange,
  onChangeData,
  onReplace,
  onImport,
}: {
  content: InsightContent
  selectedId: string | undefined
  onAdd: (kind: NewTileKind) => void
  onChange: (id: string, fields: Partial<Tile>, topic?: string) => void
  onChangeData: (id: string, dataPrep: TileDataPrep, fields?: Partial<Tile>) => void
  onReplace: (id: string, tile: Tile, dataPrep: TileDataPrep) => void
  onImport: (id: string) => void
}) {
  const tile = content.tiles.find(({ id }) => id === selectedId)
  if (tile === undefined) return <AddList hasTiles={content.tiles.length > 0} onAdd={onAdd} />
  const kind = tileKindOf(tile)
  const commonFields = (
    <CommonFields
      tile={tile}
      onChange={(fields, topic) => onChange(tile.id, fields, topic)}
      onImport={() => onImport(tile.id)}
    />
  )
  if (kind === undefined)
    return (
      <PanelFrame title={tile.type}>
        <div className={styles.fields}>{commonFields}</div>
      </PanelFrame>
    )
  const { Editor, label } = kind
  return (
    <PanelFrame title={label(tile)}>
      <Suspense fallback={<Skeleton lines={8} />}>
        <Editor
          key={tile.id}
          tile={tile}
          dataPrep={dataPrepOf(content, tile.id)}
          onChange={(fields, topic) => onChange(tile.id, fields, topic)}
          onChangeData={(dataPrep, fields) => onChangeData(tile.id, dataPrep, fields)}
          onReplace={(next, dataPrep) => onReplace(tile.id, next, dataPrep)}
          commonFields={commonFields}
        />
      </Suspense>
    </PanelFrame>
  )
}

function PanelFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </>
  )
}

function AddList({ hasTiles, onAdd }: { hasTiles: boolean; onAdd: (kind: NewTileKind) => void }) {
  const workflows = useSeesWorkflows()
  return (
    <PanelFrame title="Add a tile">
      <p className={styles.hint}>
        {hasTiles
          ? 'Select a tile to change it, or add one.'
          : 'An insight is made of tiles. Begin with one of these.'}
      </p>
      <ul className={styles.kinds} aria-label="Kinds of tiles">
        <li>
          <span className={styles.heading}>Chart</span>
          <div className={styles.kinds}>
            {newChartKinds.map((kind) => (
              <KindButton key={kind.id} {...kind} onAdd={() => onAdd(kind.id)} />
            ))}
          </div>
        </li>
        {[...newDataKinds, ...(workflows ? newWorkflowKinds : [])].map((kind) => (
          <li key={kind.id}>
            <KindButton {...kind} onAdd={() => onAdd(kind.id)} />
          </li>
        ))}
      </ul>
    </PanelFrame>
  )
}

function KindButton({
  label,
  text,
  icon,
  onAdd,
}: {
  label: string
  text: string
  icon: ReactNode
  onAdd: () => void
}) {
  return (
    <button type="button" className={styles.kind} onClick={onAdd}>
      {icon}
      <span>
        {label}
        <small>{text}</small>
      </span>
    </button>
  )
}
