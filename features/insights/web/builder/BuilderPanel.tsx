import { type ReactNode, useEffect, useRef } from 'react'
import { lazyPart, Select, Skeleton, useShortcut } from '@headwater/web-kit'
import { chartSyncOf, type ChartSync, type InsightContent } from '@headwater/tile-data/contract'
import { CommonFields, tileKindOf, useOffersWorkflows } from '@headwater/tiles/web'
import { PartFrame } from '../components/PartFrame.tsx'
import styles from './BuilderPanel.module.css'
import { dataPrepOf, headerBoxesOf } from '@headwater/tile-data/core'
import { newId } from './new-id.ts'
import { addPart, canAddPart } from './new-part.ts'
import { addTileOfKind } from './new-tile.ts'
import {
  newChartKinds,
  newDataKinds,
  newParts,
  newPartsHeading,
  newWorkflowKinds,
} from './new-tile-kinds.tsx'
import type { Workspace } from '../screens/InsightScreen/use-workspace.ts'
import { footerButtonsOf, withFooterButtons } from '../footer/footer-button.ts'

const HeaderBoxEditor = lazyPart(() => import('../header-boxes/HeaderBoxEditor.tsx'))
const FooterButtonEditor = lazyPart(() => import('../footer/FooterButtonEditor.tsx'))

interface PartProps {
  /** Sets fields of the definition that are not tiles. Consecutive changes of one topic are one step to undo. */
  onContent: (fields: Partial<InsightContent>, topic?: string) => void
  /** Selects a part; undefined selects none. */
  onSelect: (id: string | undefined) => void
}

/** The panel of the builder: the settings of the selected part, or the list of parts to add. */
export default function BuilderPanel({ workspace }: { workspace: Workspace }) {
  const { select } = workspace
  const { selectedId } = workspace.state.draft
  const panel = useRef<HTMLDivElement>(null)
  const before = useRef(selectedId)
  const focus = () => panel.current?.querySelector('h2')?.focus({ preventScroll: true })
  useShortcut('s', focus, { label: 'Go to the settings' })
  useShortcut(
    'f6',
    () => {
      if (panel.current?.contains(document.activeElement)) focusSelected()
      else focus()
    },
    { label: 'Switch between the selected tile and its settings' },
  )
  useShortcut(
    'a',
    () => {
      select(undefined)
      focus()
    },
    { label: 'Add a tile' },
  )
  useEffect(() => {
    if (before.current === selectedId) return
    before.current = selectedId
    // The button that changed the selection may no longer exist.
    if (document.activeElement === null || document.activeElement === document.body) focus()
  }, [selectedId])
  return (
    <div ref={panel} data-guide="settings">
      <SettingsPanel workspace={workspace} />
    </div>
  )
}

/** Focuses the selected tile, box or button on the page. */
function focusSelected(): void {
  document.querySelector('[data-selected]')?.querySelector<HTMLElement>('button, a, [tabindex]')?.focus()
}

function SettingsPanel({ workspace }: { workspace: Workspace }) {
  const { content, state, tiles, setContent, select } = workspace
  const { selectedId, past } = state.draft
  const tile = content.tiles.find(({ id }) => id === selectedId)
  if (tile === undefined)
    return (
      <PartPanel content={content} selectedId={selectedId} onContent={setContent} onSelect={select}>
        <AddList workspace={workspace} />
      </PartPanel>
    )
  const kind = tileKindOf(tile)
  const commonFields = (
    <CommonFields
      tile={tile}
      onChange={(fields, topic) => state.act({ type: 'change', id: tile.id, fields, topic })}
      onImport={() => tiles.actions.onImport(tile.id)}
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
      <PartFrame resetKey={`${tile.id} ${tile.type}`} waiting={<Skeleton lines={8} />}>
        <Editor
          key={tile.id}
          tile={tile}
          dataPrep={dataPrepOf(content, tile.id)}
          onChange={(fields, topic) => state.act({ type: 'change', id: tile.id, fields, topic })}
          onChangeData={(dataPrep, fields) =>
            state.act({ type: 'changeData', id: tile.id, dataPrep, fields })
          }
          onReplace={(next, dataPrep) => state.act({ type: 'replace', id: tile.id, tile: next, dataPrep })}
          isAdded={past.at(-1)?.tiles.every(({ id }) => id !== tile.id) ?? false}
          isPicking={workspace.isPicking}
          onPicking={workspace.setPicking}
          commonFields={commonFields}
        />
      </PartFrame>
    </PanelFrame>
  )
}

/** The settings of the selected summary box or footer button; otherwise its children. */
function PartPanel({
  content,
  selectedId,
  onContent,
  onSelect,
  children,
}: PartProps & { content: InsightContent; selectedId: string | undefined; children: ReactNode }) {
  const boxes = headerBoxesOf(content)
  const buttons = footerButtonsOf(content)
  const box = boxes.find(({ id }) => id === selectedId)
  const button = buttons.find(({ id }) => id === selectedId)
  if (box !== undefined)
    return (
      <PanelFrame title="Summary box">
        <PartFrame resetKey={box.id} waiting={<Skeleton lines={8} />}>
          <HeaderBoxEditor
            key={box.id}
            {...{ box, boxes, newId, onSelect }}
            onBoxes={(headerBoxes, topic) => onContent({ headerBoxes }, topic)}
          />
        </PartFrame>
      </PanelFrame>
    )
  if (button !== undefined)
    return (
      <PanelFrame title="Footer button">
        <PartFrame resetKey={button.id} waiting={<Skeleton lines={8} />}>
          <FooterButtonEditor
            key={button.id}
            {...{ button, buttons, newId, onSelect }}
            tiles={content.tiles}
            onButtons={(next, topic) => onContent(withFooterButtons(content, next), topic)}
          />
        </PartFrame>
      </PanelFrame>
    )
  return children
}

function PanelFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h2 tabIndex={-1} className={styles.title}>
        {title}
      </h2>
      {children}
    </>
  )
}

function AddList({ workspace }: { workspace: Workspace }) {
  const { content, adding, setContent } = workspace
  const workflows = useOffersWorkflows()
  return (
    <PanelFrame title="Add a tile">
      <p className={styles.hint}>
        {content.tiles.length > 0
          ? 'Select a tile to edit it, or add one.'
          : 'An insight consists of tiles. Start with one of these.'}
      </p>
      <ul className={styles.kinds} aria-label="Kinds of tiles">
        <li>
          <span className={styles.heading}>Chart</span>
          <div className={styles.kinds}>
            {newChartKinds.map((kind) => (
              <KindButton key={kind.id} {...kind} onAdd={() => addTileOfKind(kind.id, adding)} />
            ))}
          </div>
        </li>
        {[...newDataKinds, ...(workflows ? newWorkflowKinds : [])].map((kind) => (
          <li key={kind.id}>
            <KindButton {...kind} onAdd={() => addTileOfKind(kind.id, adding)} />
          </li>
        ))}
      </ul>
      <h3 className={styles.parts}>{newPartsHeading}</h3>
      <ul className={styles.kinds}>
        {newParts.map((part) => (
          <li key={part.id}>
            <KindButton
              {...part}
              disabled={!canAddPart(content, part.id)}
              onAdd={() => addPart(part.id, content, adding)}
            />
          </li>
        ))}
      </ul>
      <h3 className={styles.parts}>Insight settings</h3>
      <div className={styles.fields}>
        <Select
          label="Chart cursor and zoom"
          value={chartSyncOf(content)}
          options={syncs}
          onChange={(chartSync) => setContent({ chartSync })}
        />
      </div>
    </PanelFrame>
  )
}

const syncs: { value: ChartSync; label: string }[] = [
  { value: 'OFF', label: 'Separate for each chart' },
  { value: 'CURSOR', label: 'Shared cursor' },
  { value: 'CURSOR_AND_ZOOM', label: 'Shared cursor and zoom' },
]

function KindButton({
  label,
  text,
  icon,
  disabled,
  onAdd,
}: {
  label: string
  text: string
  icon: ReactNode
  disabled?: boolean
  onAdd: () => void
}) {
  return (
    <button type="button" className={styles.kind} disabled={disabled} onClick={onAdd}>
      {icon}
      <span>
        {label}
        <small>{text}</small>
      </span>
    </button>
  )
}
