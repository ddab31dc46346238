import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate, useSearchParams } from 'react-router'
import { useQueryClient } from '@tanstack/react-query'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import { useWritableGroups } from '@headwater/groups/web'
import { streamData } from '@headwater/symbols/contract'
import {
  lazyPart,
  Button,
  EmptyState,
  HeaderDivider,
  links,
  message,
  Page,
  PageHeader,
  Skeleton,
  UnsavedGuard,
  useFocusOnPage,
  useSlot,
  useShortcut,
} from '@headwater/web-kit'
import { type InsightContent, type Tile } from '@headwater/tiles/contract'
import { infoValue, type Insight } from '../../../contract/index.ts'
import { BuilderPanel } from '../../builder/BuilderPanel.tsx'
import { newId } from '../../builder/new-id.ts'
import { type NewPart, withNewPart } from '../../builder/new-part.ts'
import { newTile, takesSeries } from '../../builder/new-tile.ts'
import type { NewTileKind } from '../../builder/new-tile-kinds.tsx'
import { footerButtonsOf } from '../../footer/footer-button.ts'
import {
  headerBoxesOf,
  hasBasket,
  type Basket,
  lastGroupOf,
  seriesGroupsOf,
  paramSetsOf,
  tileSourceOf,
} from '@headwater/tiles/core'
import { applyPendingBasket, isBasketPending } from '../../basket/pending-basket.ts'
import { submitShownForms } from '../../params/shown-forms.ts'
import {
  useHasPageRange,
  InsightDataProvider,
  RefreshTimesContext,
  useNewRefreshTimes,
  draftRoute,
  tileDataKey,
} from '@headwater/tiles/web'
import { RefreshNote } from '../../components/RefreshNote.tsx'
import { PartFrame } from '../../components/PartFrame.tsx'
import { BuilderGuide } from '../../guide/BuilderGuide.tsx'
import { GuideOffer } from '../../guide/GuideOffer.tsx'
import { useBuilderGuide } from '../../guide/use-builder-guide.ts'
import { TileGrid } from '../../components/TileGrid.tsx'
import { TileGridSkeleton } from '../../components/TileGridSkeleton.tsx'
import { insightFrames } from '../../slots.ts'
import { useFrameHeight } from '../../embedding/use-frame-height.ts'
import { useLogo } from '../../insights-client.ts'
import { HeaderBoxes, ParamChips, ParamsPanel } from '../../lazy-parts.ts'
import { storedRoute } from './stored-route.ts'
import { useDraft } from './use-draft.ts'
import { useInsightPanel } from './use-insight-panel.ts'
import type { PanelName } from './use-panel.ts'
import { PanelButtons } from './PanelButtons.tsx'
import { ScrollToTile } from './ScrollToTile.tsx'
import { usePlace } from './use-place.ts'
import { useSaving } from './use-saving.ts'
import { useTileActions } from './use-tile-actions.ts'
import { BuilderActions, ReaderActions } from './WorkspaceActions.tsx'
import { type OpenDialog, WorkspaceDialogs } from './WorkspaceDialogs.tsx'
import styles from './InsightWorkspace.module.css'

const FooterButtons = lazyPart(() => import('../../footer/FooterButtons.tsx'))
const BasketPanel = lazyPart(() => import('../../basket/BasketPanel.tsx'))

/** An insight on its page: looked at, or built. A new one has not been saved yet. */
export function InsightWorkspace({
  saved,
  template,
}: {
  saved: Insight | undefined
  /** What a new insight was made from. */
  template?: { content: InsightContent; description: string }
}) {
  const navigate = useNavigate()
  const goTo = usePlace()
  const [search] = useSearchParams()
  const [dialog, setDialog] = useState<OpenDialog>()
  const [newer, setNewer] = useState<Insight>()
  /** The tile that series are picked for. */
  const [pickingId, setPickingId] = useState<string>()
  useFrameHeight()
  const mayEdit = saved === undefined || saved.writeAccess
  const editing = saved === undefined || (mayEdit && search.get('edit') === 'true')
  useFocusOnPage(editing)
  const guide = useBuilderGuide(editing)
  const offersGuide = guide.isNew && guide.step === undefined && saved === undefined && template === undefined
  useFocusOnPage(offersGuide)
  const state = useDraft(saved, editing, template?.content)
  const { draft, shown, dirty, restored, act } = state
  const { content } = draft
  const boxes = headerBoxesOf(content)
  const buttons = footerButtonsOf(content)
  useEffect(() => {
    if (restored && !editing) goTo({ edit: true })
  }, [restored, editing, goTo])
  const times = useNewRefreshTimes()
  const sets = paramSetsOf(content)
  const visibleSets = sets.filter(({ isHidden }) => editing || !isHidden)
  const { panel: named, toggle, close, closeParams, closed } = useInsightPanel(saved, visibleSets)
  const offered: PanelName[] = [
    ...(editing || visibleSets.length > 0 ? (['params'] as const) : []),
    ...(editing || hasBasket(content, isBoundToBasket) ? (['basket'] as const) : []),
  ]
  const open = offered.find((name) => name === named)
  /** Settings stand where a panel stands. */
  const withSettings = open === undefined ? {} : { panel: closed }
  const { actions, fileInputId, addTile, importFile } = useTileActions(state, (tileTitle) =>
    goTo({ tileTitle, ...withSettings }),
  )
  const { saving, save, saveForm } = useSaving(state, {
    // at once, so that the draft that is saved has it
    beforeSave: () => flushSync(applyPendingBasket),
    onNameNeeded: () => setDialog('create'),
    onConflict(latest) {
      setNewer(latest)
      setDialog('conflict')
    },
    onSaved: () => {
      // who saves has seen what the guide leads to
      if (guide.step !== undefined) guide.end()
      goTo({ edit: false })
    },
  })

  function onAdd(kind: NewTileKind) {
    if (kind === 'quick') setDialog('quick')
    else {
      const { tile } = newTile(kind, newId())
      addTile(tile)
      setPickingId(takesSeries(kind) ? tile.id : undefined)
    }
  }
  function onCancel() {
    if (shown === undefined) void navigate(links.insightList())
    else if (dirty || isBasketPending()) setDialog('discard')
    else goTo({ edit: false })
  }
  const { most } = seriesGroupsOf(content)
  const writable = useWritableGroups(shown === undefined && most !== undefined ? [most] : [])
  const suggestedGroup = most !== undefined && writable.has(most) ? most : undefined
  const undo = () => act({ type: 'undo' })
  const redo = () => act({ type: 'redo' })
  const onEdit = () => goTo({ edit: true })
  const building = { enabled: editing && dialog === undefined }
  useShortcut('mod+s', () => void save(), { label: 'Save the insight', ...building })
  useShortcut('mod+z', undo, { label: 'Undo', ...building })
  useShortcut('mod+shift+z', redo, { label: 'Redo', ...building })
  useShortcut('mod+y', redo, { label: 'Redo', ...building })
  useShortcut('e', onEdit, { label: 'Edit the insight', enabled: !editing && mayEdit })

  const isFree = dialog === undefined
  useShortcut('p', () => toggle('params'), {
    label: 'Parameters',
    enabled: isFree && offered.includes('params'),
  })
  useShortcut('b', () => toggle('basket'), {
    label: 'Basket',
    enabled: isFree && offered.includes('basket'),
  })
  const [basket, setBasket] = useState<Basket>()
  const setContent = (fields: Partial<InsightContent>, topic?: string) =>
    act({ type: 'setContent', fields, topic })
  function applyBasket(next: Basket) {
    // An author changes the basket of the insight, a reader what they look at.
    setBasket(editing ? undefined : next)
    if (editing) setContent({ basket: next })
    message('Basket applied.')
  }
  /** Shows the settings of a tile, a box or a button; without one what can be added. */
  function onSelect(id: string | undefined) {
    act({ type: 'select', id })
    const tileTitle = content.tiles.find((tile) => tile.id === id)?.title
    goTo({ tileTitle, scroll: false, ...withSettings })
  }

  /** The first step of the guide is about the list of tiles, which the panel holds while nothing is selected. */
  function showGuide(step: number) {
    if (step === 0) onSelect(undefined)
    guide.goTo(step)
  }

  function onAddPart(part: NewPart) {
    const id = newId()
    setContent(withNewPart(content, part, id))
    onSelect(id)
  }
  useShortcut('escape', () => onSelect(undefined), {
    label: 'Deselect',
    enabled: editing && isFree && open === undefined && draft.selectedId !== undefined,
  })

  /** Applies what is chosen in the panel of the parameters, or opens it for choosing. */
  function showResults() {
    if (open === 'params') submitShownForms()
    else toggle('params')
  }

  const builder = (
    <BuilderPanel
      content={content}
      selectedId={draft.selectedId}
      isAdded={draft.past.at(-1)?.tiles.every(({ id }) => id !== draft.selectedId) ?? false}
      isPicking={pickingId !== undefined && pickingId === draft.selectedId}
      onPicking={(isPicking) => setPickingId(isPicking ? draft.selectedId : undefined)}
      onAdd={onAdd}
      onAddPart={onAddPart}
      onChange={(id, fields, topic) => act({ type: 'change', id, fields, topic })}
      onChangeData={(id, dataPrep, fields) => act({ type: 'changeData', id, dataPrep, fields })}
      onReplace={(id, tile, dataPrep) => act({ type: 'replace', id, tile, dataPrep })}
      onImport={actions.onImport}
      onContent={setContent}
      onSelect={onSelect}
    />
  )
  const aside = {
    params: <ParamsPanel editing={editing} onContent={setContent} onClose={closeParams} onUncover={close} />,
    // one for the author and one for the reader: what was not applied does not go over
    basket: <BasketPanel key={String(editing)} onApply={applyBasket} onClose={close} />,
    none: editing ? builder : undefined,
  }[open ?? 'none']
  const asideLabel = { params: 'Parameters', basket: 'Basket', none: 'Settings' }[open ?? 'none']
  return (
    <RefreshTimesContext value={times}>
      <InsightDataProvider
        name={shown}
        content={content}
        route={shown !== undefined && content === shown.content ? storedRoute(shown) : draftRoute}
        basket={editing ? undefined : basket}
        takesRange={!editing}
      >
        <Frames insight={shown} content={content} editing={editing} isFree={isFree}>
          <Page
            aside={
              aside && (
                <PartFrame resetKey={open} waiting={<Skeleton lines={8} />}>
                  {aside}
                </PartFrame>
              )
            }
            asideLabel={asideLabel}
            onBackground={editing && draft.selectedId !== undefined ? () => onSelect(undefined) : undefined}
          >
            <PageHeader
              {...(template === undefined ? {} : { title: 'New insight' })}
              note={
                editing ? (shown === undefined ? 'not saved yet' : `editing · v${shown.version}`) : undefined
              }
              actions={
                <>
                  <PanelButtons offered={offered} open={open} onToggle={toggle} />
                  {offered.length > 0 ? <HeaderDivider /> : null}
                  {editing || shown === undefined ? (
                    <BuilderActions
                      canUndo={draft.past.length > 0}
                      canRedo={draft.future.length > 0}
                      saving={saving}
                      onUndo={undo}
                      onRedo={redo}
                      content={content}
                      onAdd={onAdd}
                      onAddPart={onAddPart}
                      onGuide={() => showGuide(0)}
                      onCancel={onCancel}
                      onSave={() => void save()}
                    />
                  ) : (
                    <ReaderActions insight={shown} onEdit={onEdit} onDialog={setDialog} />
                  )}
                </>
              }
            />
            {editing || shown === undefined ? null : (
              <InfoBar insight={shown} hasParams={visibleSets.length > 0} />
            )}
            {restored ? (
              <div className={styles.bar} role="status">
                <p className={styles.description}>Your unsaved changes were restored.</p>
                <Button onClick={state.discard}>Discard changes</Button>
              </div>
            ) : null}
            {template === undefined || shown !== undefined ? null : (
              <div className={styles.bar}>
                <p className={styles.description}>{template.description}</p>
              </div>
            )}
            {boxes.length > 0 ? (
              <PartFrame waiting={<Skeleton height={74} />}>
                <HeaderBoxes
                  boxes={boxes}
                  editing={editing}
                  selectedId={draft.selectedId}
                  onSelect={onSelect}
                />
              </PartFrame>
            ) : null}
            {content.tiles.length === 0 ? (
              <div data-guide="tiles">
                <EmptyState
                  icon={<IconLayoutDashboard size={20} stroke={1.6} />}
                  title="This insight has no tiles"
                  action={
                    offersGuide ? (
                      <GuideOffer onStart={() => showGuide(0)} onDecline={guide.end} />
                    ) : editing || !mayEdit ? undefined : (
                      <Button onClick={onEdit}>Edit the insight</Button>
                    )
                  }
                >
                  {editing ? 'Add a chart, a table or a text from the panel.' : 'It has no tiles yet.'}
                </EmptyState>
              </div>
            ) : (
              <TileGrid
                content={content}
                editing={editing}
                selectedId={draft.selectedId}
                actions={editing ? { ...actions, onSelect } : actions}
                isNew={shown === undefined}
              />
            )}
            <ScrollToTile tiles={content.tiles} block={editing ? 'nearest' : 'start'} />
            {buttons.length > 0 ? (
              <PartFrame>
                <FooterButtons
                  buttons={buttons}
                  tiles={content.tiles}
                  editing={editing}
                  selectedId={draft.selectedId}
                  onSelect={onSelect}
                  onTile={(tileTitle) => goTo({ tileTitle })}
                  onShowResults={visibleSets.length > 0 ? showResults : undefined}
                />
              </PartFrame>
            ) : null}
          </Page>
        </Frames>
      </InsightDataProvider>
      <input
        id={fileInputId}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label="Configuration file"
        onChange={(event) => {
          void importFile(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <WorkspaceDialogs
        dialog={dialog}
        shown={shown}
        newer={newer}
        description={template?.description ?? ''}
        lastGroup={lastGroupOf(content)}
        suggestedGroup={suggestedGroup}
        onClose={() => setDialog(undefined)}
        onForm={saveForm}
        onPicked={(picked, combined) => {
          const { tile, dataPrep } = newTile('quick', newId(), picked, combined)
          addTile(tile, dataPrep)
          setDialog(undefined)
        }}
        onDiscard={() => {
          state.discard()
          goTo({ edit: false })
        }}
        onOverwrite={() => save({ force: true })}
      />
      {guide.step !== undefined && editing && dialog === undefined ? (
        <BuilderGuide step={guide.step} onStep={showGuide} onEnd={guide.end} />
      ) : null}
      <UnsavedGuard when={dirty} />
    </RefreshTimesContext>
  )
}

/** The wrappers that later features put around the page. */
function Frames({
  children,
  ...about
}: {
  insight: Insight | undefined
  content: InsightContent
  editing: boolean
  isFree: boolean
  children: ReactNode
}) {
  const frames = useSlot(insightFrames)
  return (
    <PartFrame
      waiting={
        <Page>
          <TileGridSkeleton />
        </Page>
      }
    >
      {frames.reduceRight(
        (inner, Frame) => (
          <Frame {...about}>{inner}</Frame>
        ),
        children,
      )}
    </PartFrame>
  )
}

function isBoundToBasket(tile: Tile): boolean {
  return tileSourceOf(tile, undefined).kind === 'basket'
}

/** What an insight is for, what is chosen in its parameters, and how fresh its data are. */
function InfoBar({ insight, hasParams }: { insight: Insight; hasParams: boolean }) {
  const hasPageRange = useHasPageRange()
  const hasChips = hasParams || hasPageRange
  const client = useQueryClient()
  const { description, fields } = insight
  const logo = useLogo(insight, infoValue(fields, 'logo'))
  const note = (
    <RefreshNote
      onRefresh={() => {
        for (const name of [tileDataKey, streamData.name, 'fileTable'])
          void client.invalidateQueries({ queryKey: [name] })
      }}
    />
  )
  const about =
    logo.data === undefined && description === '' ? null : (
      <>
        {logo.data === undefined ? null : <img className={styles.logo} src={logo.data} alt="" />}
        {description === '' ? null : (
          <p className={styles.description} title={description}>
            {description}
          </p>
        )}
      </>
    )
  return (
    <>
      {about === null && hasChips ? null : (
        <div className={styles.bar}>
          {about}
          {hasChips ? null : note}
        </div>
      )}
      {hasChips ? (
        <div className={styles.bar}>
          <PartFrame waiting={<Skeleton height={28} />}>
            <ParamChips />
          </PartFrame>
          {note}
        </div>
      ) : null}
    </>
  )
}
