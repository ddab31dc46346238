import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate, useSearchParams } from 'react-router'
import { useSuggestedGroup } from '@headwater/groups/web'
import { links, message } from '@headwater/web-kit'
import type { InsightContent, Tile } from '@headwater/tile-data/contract'
import { type Basket, hasBasket, paramSetsOf, seriesGroupsOf, tileSourceOf } from '@headwater/tile-data/core'
import type { Insight } from '../../../contract/index.ts'
import { applyPendingBasket, isBasketPending } from '../../basket/pending-basket.ts'
import type { Adding } from '../../builder/adding.ts'
import { useBuilderGuide } from '../../guide/use-builder-guide.ts'
import { submitVisibleForms } from '../../params/visible-forms.ts'
import type { OpenDialog } from './open-dialog.ts'
import { useDraft } from './use-draft.ts'
import { useFitsBuilder } from './use-fits-builder.ts'
import { useInsightPanel } from './use-insight-panel.ts'
import { useIsOpenedFromView, usePageAddress } from './use-page-address.ts'
import type { PanelName } from './use-panel.ts'
import { useSaving } from './use-saving.ts'
import { useTileActions } from './use-tile-actions.ts'
import { useWorkspaceShortcuts } from './use-workspace-shortcuts.ts'

/** The start of a new insight that is created from a template. */
export interface InsightTemplate {
  /** The definition, with the values that the user chose. */
  content: InsightContent
  /** The description of the template, which becomes that of the insight. */
  description: string
}

/** The state of the page of an insight, and its actions. */
export type Workspace = ReturnType<typeof useWorkspace>

/**
 * Manages the page of an insight: its draft, panels, dialogs, guide and shortcuts.
 * @param saved the stored insight; undefined for a new one
 */
export function useWorkspace(saved: Insight | undefined, template: InsightTemplate | undefined) {
  const goTo = usePageAddress()
  const [search] = useSearchParams()
  const dialog = useDialog()
  const [newer, setNewer] = useState<Insight>()
  const [pickingId, setPickingId] = useState<string>()
  const canEdit = saved === undefined || saved.writeAccess
  // An open builder stays open if the window becomes narrow.
  const fits = useFitsBuilder()
  const [startedWide] = useState(fits)
  const fitsBuilder = fits || startedWide
  const editing = saved === undefined || (canEdit && fitsBuilder && search.get('edit') === 'true')
  const guide = useBuilderGuide(editing)
  const state = useDraft(saved, editing, template?.content)
  const { draft, stored, restored, act } = state
  const { content } = draft
  const [isOpenedByDraft] = useState(restored !== undefined && !editing)
  const { startEditing, stopEditing } = useEditingAddress({
    opensBuilder: restored !== undefined && !editing,
    isDirty: state.dirty,
  })
  const panels = usePanels(saved, content, editing)
  /** State of the panel in the URL while the settings take its space. */
  const withSettings = panels.open === undefined ? {} : { panel: panels.closed }
  const tiles = useTileActions(state, (tileTitle) => goTo({ tileTitle, ...withSettings }))
  const saving = useSaving(state, {
    // Synchronous, so that the saved draft contains the basket.
    beforeSave: () => flushSync(applyPendingBasket),
    onNameNeeded: () => dialog.open('create'),
    onConflict(latest) {
      setNewer(latest)
      dialog.open('conflict')
    },
    onSaved() {
      if (guide.step !== undefined) guide.end()
      stopEditing()
    },
  })
  const [basket, setBasket] = useState<Basket>()
  const setContent = (fields: Partial<InsightContent>, topic?: string) =>
    act({ type: 'setContent', fields, topic })

  /** Opens the settings of a tile, a box or a button; undefined opens the list of parts to add. */
  function select(id: string | undefined) {
    act({ type: 'select', id })
    const tileTitle = content.tiles.find((tile) => tile.id === id)?.title
    goTo({ tileTitle, scroll: false, ...withSettings })
  }
  const cancel = useCancel(
    () => (state.dirty || isBasketPending() ? dialog.open('discard') : stopEditing()),
    stored === undefined,
  )
  const adding: Adding = {
    onQuick: () => dialog.open('quick'),
    onTile(tile, { dataPrep, picksSeries = false } = {}) {
      tiles.addTile(tile, dataPrep)
      setPickingId(picksSeries ? tile.id : undefined)
    },
    onPart(fields, id) {
      setContent(fields)
      select(id)
    },
  }
  const workspace = {
    state,
    stored,
    content,
    editing,
    canEdit,
    adding,
    dialog,
    guide,
    panels,
    tiles,
    saving,
    basket,
    setContent,
    select,
    cancel,
    startEditing,
    /** The suggested group of a new insight: the group of most of its series. Empty for none. */
    suggestedGroup: useSuggestedGroup(stored === undefined ? seriesGroupsOf(content).most : undefined),
    /** A newer version that another user saved in the meantime. */
    newer,
    undo: () => act({ type: 'undo' }),
    redo: () => act({ type: 'redo' }),
    goToTile: (tileTitle: string) => goTo({ tileTitle }),
    /** Whether the page offers the guide: once per browser, for a new insight. */
    offersGuide:
      guide.isNew && editing && guide.step === undefined && saved === undefined && template === undefined,
    /** Whether the picker of series is open for the selected tile. */
    isPicking: pickingId !== undefined && pickingId === draft.selectedId,
    setPicking: (isPicking: boolean) => setPickingId(isPicking ? draft.selectedId : undefined),
    /** For authors, changes the basket of the insight; for readers, only the current view. */
    applyBasket: (next: Basket) => {
      setBasket(editing ? undefined : next)
      if (editing) setContent({ basket: next })
      message('Basket applied.')
    },
    /** Shows a step of the guide. The first step is about the list of parts, which is visible without a selection. */
    showGuide: (step: number) => {
      if (step === 0) select(undefined)
      guide.goTo(step)
    },
    /** Applies the values in the parameters panel, or opens the panel. */
    showResults: () => (panels.open === 'params' ? submitVisibleForms() : panels.toggle('params')),
    discard: () => {
      state.discard()
      stopEditing()
    },
    /** Discards restored changes, and returns to the view if the page opened the builder only because of them. */
    discardRestored: () => {
      state.discard()
      if (isOpenedByDraft) stopEditing()
    },
  }
  useWorkspaceShortcuts(workspace)
  return workspace
}

/** Manages the dialogs of the page; at most one is open. */
function useDialog() {
  const [current, setCurrent] = useState<OpenDialog>()
  const [wasOpened, setWasOpened] = useState(false)
  return {
    /** The open dialog; undefined without one. */
    current,
    /** Whether a dialog was open before; the code of the dialogs loads for the first one. */
    wasOpened,
    /** Opens a dialog; undefined closes the open one. */
    open: (next: OpenDialog | undefined) => {
      setCurrent(next)
      if (next !== undefined && next !== 'action') setWasOpened(true)
    },
  }
}

/** Returns the action of the Cancel button; a new insight is left without confirmation. */
function useCancel(stop: () => void, isNew: boolean): () => void {
  const navigate = useNavigate()
  return () => {
    if (isNew) void navigate(links.insightList())
    else stop()
  }
}

/**
 * Opens and closes the builder. Opening it from the view is a history entry, so that closing it and going back return to the view. Without
 * this entry, closing the builder restores the panel that was open before.
 * @param given `opensBuilder`: whether restored changes open the builder; `isDirty`: whether there are unsaved changes
 */
function useEditingAddress({ opensBuilder, isDirty }: { opensBuilder: boolean; isDirty: boolean }) {
  const goTo = usePageAddress()
  const navigate = useNavigate()
  const isOpenedFromView = useIsOpenedFromView()
  const isStopping = useRef(false)
  const [stops, setStops] = useState(0)
  const [search] = useSearchParams()
  const panelBefore = useRef<{ panel: string | null }>(undefined)
  useEffect(() => {
    if (opensBuilder) goTo({ edit: true })
  }, [opensBuilder, goTo])
  // Before that, the dialog about unsaved changes would open.
  useEffect(() => {
    if (!isStopping.current || isDirty) return
    isStopping.current = false
    if (isOpenedFromView) void navigate(-1)
    else goTo({ edit: false, ...panelBefore.current })
  }, [stops, isDirty, isOpenedFromView, goTo, navigate])
  return {
    startEditing: () => {
      panelBefore.current = { panel: search.get('panel') }
      goTo({ edit: true, push: true })
    },
    stopEditing: () => {
      isStopping.current = true
      setStops(stops + 1)
    },
  }
}

/** Manages the panels of the insight. */
function usePanels(saved: Insight | undefined, content: InsightContent, editing: boolean) {
  const sets = paramSetsOf(content).filter(({ isHidden }) => editing || !isHidden)
  const { panel, ...actions } = useInsightPanel(saved, sets)
  const offered: PanelName[] = [
    ...(editing || sets.length > 0 ? (['params'] as const) : []),
    ...(editing || hasBasket(content, isBoundToBasket) ? (['basket'] as const) : []),
  ]
  return {
    ...actions,
    /** The panels that have a button in the header. */
    offered,
    /** The open panel; undefined if none is open. */
    open: offered.find((name) => name === panel),
    /** Whether the user can see parameters. */
    hasParams: sets.length > 0,
  }
}

function isBoundToBasket(tile: Tile): boolean {
  return tileSourceOf(tile, undefined).kind === 'basket'
}
