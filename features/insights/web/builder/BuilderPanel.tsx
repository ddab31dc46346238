import { type ReactNode, Suspense } from 'react'
import IconBolt from '@tabler/icons-react/dist/esm/icons/IconBolt.mjs'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconCalendarStats from '@tabler/icons-react/dist/esm/icons/IconCalendarStats.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import IconTypography from '@tabler/icons-react/dist/esm/icons/IconTypography.mjs'
import { type MenuEntry, Skeleton } from '@headwater/web-kit'
import type { InsightContent, Tile, TileDataPrep } from '../../contract/index.ts'
import { CommonFields } from '../components/CommonFields.tsx'
import styles from './BuilderPanel.module.css'
import { dataPrepOf } from './draft.ts'
import { tileKindOf } from '../tiles/tile-kinds.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** What can be added. */
export const newTileKinds = [
  {
    id: 'advanced',
    label: 'Advanced chart',
    text: 'Lines, areas, bars and dots on two axes; you set up each series.',
    icon: <IconChartLine {...icon} />,
  },
  {
    id: 'seasonality',
    label: 'Seasonality chart',
    text: 'The years of a series over one another.',
    icon: <IconCalendarStats {...icon} />,
  },
  {
    id: 'quick',
    label: 'Quick chart',
    text: 'Pick series and see them at once.',
    icon: <IconBolt {...icon} />,
  },
  { id: 'table', label: 'Table', text: 'The values of series, newest first.', icon: <IconTable {...icon} /> },
  {
    id: 'text',
    label: 'Text',
    text: 'Markdown, written here or from a file.',
    icon: <IconTypography {...icon} />,
  },
] as const
export type NewTileKind = (typeof newTileKinds)[number]['id']

/** The kinds of tiles as a menu. */
export function newTileMenu(onAdd: (kind: NewTileKind) => void): MenuEntry[] {
  return newTileKinds.map(({ id, label, icon: sign }) => ({ label, icon: sign, onClick: () => onAdd(id) }))
}

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
  return (
    <PanelFrame title="Add a tile">
      <p className={styles.hint}>
        {hasTiles
          ? 'Select a tile to change it, or add one.'
          : 'An insight is made of tiles. Begin with one of these.'}
      </p>
      <ul className={styles.kinds}>
        {newTileKinds.map(({ id, label, text, icon: sign }) => (
          <li key={id}>
            <button type="button" className={styles.kind} onClick={() => onAdd(id)}>
              {sign}
              <span>
                {label}
                <small>{text}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </PanelFrame>
  )
}
