import { useCallback, useEffect, useId, useMemo, useReducer, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { useQueryClient } from '@tanstack/react-query'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconFolderSymlink from '@tabler/icons-react/dist/esm/icons/IconFolderSymlink.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan, useSettings } from '@headwater/accounts/web'
import { streamData } from '@headwater/symbols/contract'
import {
  ApiError,
  Button,
  ConfirmDialog,
  createStore,
  dismissToast,
  EmptyState,
  HeaderDivider,
  IconButton,
  links,
  Menu,
  type MenuEntry,
  message,
  Page,
  PageHeader,
  toast,
  toastError,
  UnsavedGuard,
  useShortcut,
} from '@headwater/web-kit'
import {
  emptyContent,
  infoValue,
  uniqueTitle,
  type Insight,
  type Tile,
  type TileDataPrep,
} from '../../../contract/index.ts'
import { BuilderPanel, newTileMenu, type NewTileKind } from '../../builder/BuilderPanel.tsx'
import { dataPrepOf, newDraft, reduceDraft, type DraftAction } from '../../builder/draft.ts'
import { newId } from '../../builder/new-id.ts'
import { newTile } from '../../builder/new-tile.ts'
import { exportTile, importTile } from '../../builder/tile-configuration.ts'
import { DeleteInsightDialog } from '../../components/DeleteInsightDialog.tsx'
import { FavouriteStar } from '../../components/FavouriteStar.tsx'
import { RefreshContext, type RefreshTime } from '../../components/refresh-times.ts'
import { RefreshNote } from '../../components/RefreshNote.tsx'
import { fileNameOf, saveBlob } from '../../components/save-blob.ts'
import { SaveDialog } from '../../components/SaveDialog.tsx'
import { SeriesPicker, type PickedSeries } from '../../components/SeriesPicker.tsx'
import { TileGrid, type TileActions } from '../../components/TileGrid.tsx'
import { type InsightForm, useInsightCalls } from '../../insights-client.ts'
import { readFileText } from './read-file-text.ts'
import styles from './InsightWorkspace.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Which dialog is open. */
type OpenDialog = 'create' | 'copy' | 'details' | 'delete' | 'discard' | 'conflict' | 'quick'

/** An insight on its page: looked at, or built. A new one has not been saved yet. */
export function InsightWorkspace({ saved }: { saved: Insight | undefined }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const can = useCan()
  const settings = useSettings()
  const calls = useInsightCalls()
  const location = useLocation()
  const [search] = useSearchParams()
  const [shown, setShown] = useState(saved)
  const [draft, dispatch] = useReducer(reduceDraft, saved?.content ?? emptyContent(), newDraft)
  const [baseline, setBaseline] = useState(draft.content)
  const [dialog, setDialog] = useState<OpenDialog>()
  const [saving, setSaving] = useState(false)
  const mayEdit = shown === undefined || shown.writeAccess
  const editing = shown === undefined || (mayEdit && search.get('edit') === 'true')
  const dirty = editing && draft.content !== baseline
  const { content } = draft
  const [undoToast] = useState(() => createStore<number | undefined>(undefined))

  function act(action: DraftAction) {
    const shownToast = undoToast.get()
    if (shownToast !== undefined) dismissToast(shownToast)
    undoToast.set(undefined)
    dispatch(action)
  }

  /** Takes over what is stored now as the state without changes. */
  function take(insight: Insight) {
    setShown(insight)
    setBaseline(insight.content)
    dispatch({ type: 'reset', content: insight.content })
  }

  // A newer version that was read meanwhile is shown, unless one is at work on the present one.
  const [seen, setSeen] = useState(saved)
  if (saved !== seen && saved !== undefined && !editing) {
    setSeen(saved)
    if (saved.fid !== shown?.fid) take(saved)
  }

  const goTo = useCallback(
    (to: { edit?: boolean; hash?: string }) => {
      const next = new URLSearchParams(location.search)
      if (to.edit === true) next.set('edit', 'true')
      if (to.edit === false) next.delete('edit')
      const query = next.toString()
      const hash = to.hash === undefined ? location.hash : `#${encodeURIComponent(to.hash)}`
      void navigate({ pathname: location.pathname, search: query && `?${query}`, hash }, { replace: true })
    },
    [location, navigate],
  )
  useScrollToHash(location.hash, content.tiles)

  // A new insight moves to its own page only once nothing is unsaved any more, or the guard would ask.
  const [created, setCreated] = useState<Insight>()
  useEffect(() => {
    if (created !== undefined && !dirty)
      void navigate(links.insight(created.groupName, created.insightName), { replace: true })
  }, [created, dirty, navigate])

  async function save(options: { force?: boolean } = {}) {
    await leaveField()
    if (shown === undefined) {
      setDialog('create')
      return
    }
    setSaving(true)
    try {
      const latest = latestDraft.get().content
      const insight = await calls.update(shown, {
        content: latest,
        expectedFileId: options.force ? undefined : shown.fid,
      })
      take(insight)
      message('Insight has been saved.')
      goTo({ edit: false })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'insightChanged') setDialog('conflict')
      else tellErrors(error)
    } finally {
      setSaving(false)
    }
  }
  const [latestDraft] = useState(() => createStore(draft))
  useEffect(() => latestDraft.set(draft))

  async function saveForm(form: InsightForm) {
    if (dialog === 'details' && shown !== undefined) {
      const insight = await calls.update(shown, { content: shown.content, form, expectedFileId: shown.fid })
      const moved = insight.groupName !== shown.groupName
      const renamed = moved || insight.insightName !== shown.insightName
      take(insight)
      message(moved ? 'Insight has been moved to the new group.' : 'Insight has been saved.')
      if (renamed) setCreated(insight)
    } else {
      const insight = await calls.create(
        form,
        latestDraft.get().content,
        shown && infoValue(shown.fields, 'logo'),
      )
      message(dialog === 'copy' ? 'New Insight has been created.' : 'Insight has been created.')
      setBaseline(latestDraft.get().content)
      setCreated(insight)
    }
    setDialog(undefined)
  }

  function addTile(tile: Tile, dataPrep?: TileDataPrep) {
    act({ type: 'add', tile, dataPrep })
    goTo({
      hash: uniqueTitle(
        tile.title,
        content.tiles.map(({ title }) => title),
      ),
    })
  }

  function onAdd(kind: NewTileKind) {
    if (kind === 'quick') setDialog('quick')
    else addTile(newTile(kind, newId()).tile)
  }

  function addQuickChart(picked: PickedSeries[], combined: boolean) {
    const { tile, dataPrep } = newTile('quick', newId(), picked, combined)
    addTile(tile, dataPrep)
    setDialog(undefined)
  }

  const tileOf = (id: string) => content.tiles.find((tile) => tile.id === id)
  const [importing] = useState(() => createStore<string | undefined>(undefined))
  const fileInputId = useId()
  const actions: TileActions = {
    onSelect: (id) => act({ type: 'select', id }),
    onDuplicate(id) {
      const original = tileOf(id)
      if (original === undefined) return
      act({ type: 'duplicate', id, newId: newId() })
      goTo({
        hash: uniqueTitle(
          original.title,
          content.tiles.map(({ title }) => title),
        ),
      })
    },
    onRemove(id) {
      const title = tileOf(id)?.title
      act({ type: 'remove', id })
      undoToast.set(
        toast({
          kind: 'info',
          title: `Tile ${title} has been deleted.`,
          action: { label: 'Undo', onClick: () => act({ type: 'undo' }) },
        }),
      )
    },
    onExport(id) {
      const tile = tileOf(id)
      if (tile === undefined) return
      const text = exportTile(tile, dataPrepOf(content, id))
      saveBlob(new Blob([text], { type: 'application/json' }), fileNameOf(tile.title, 'json'))
    },
    onImport(id) {
      importing.set(id)
      document.getElementById(fileInputId)?.click()
    },
    onMove: (id, to) => act({ type: 'move', id, to }),
  }

  async function importFile(file: File | undefined) {
    const id = importing.get()
    const tile = id === undefined ? undefined : tileOf(id)
    if (file === undefined || tile === undefined) return
    const imported = importTile(await readFileText(file), tile.type)
    if (!imported.ok) {
      toast({ kind: 'error', title: imported.message })
      return
    }
    act({ type: 'replace', id: tile.id, tile: imported.tile, dataPrep: imported.dataPrep })
    message('Configuration applied succesfully.')
  }

  function cancel() {
    if (shown === undefined) void navigate(links.insightList())
    else if (dirty) setDialog('discard')
    else goTo({ edit: false })
  }

  useShortcut('mod+s', () => void save(), {
    label: 'Save the insight',
    enabled: editing && dialog === undefined,
  })
  useShortcut('mod+z', () => act({ type: 'undo' }), {
    label: 'Undo',
    enabled: editing && dialog === undefined,
  })
  useShortcut('mod+shift+z', () => act({ type: 'redo' }), {
    label: 'Redo',
    enabled: editing && dialog === undefined,
  })
  useShortcut('e', () => goTo({ edit: true }), { label: 'Edit the insight', enabled: !editing && mayEdit })

  const { times, report } = useRefreshTimes()
  const more: MenuEntry[] = [
    ...(can('Visualisations', 'RW', 'Insight')
      ? [{ label: 'Save a copy', icon: <IconCopy {...icon} />, onClick: () => setDialog('copy') }]
      : []),
    ...(mayEdit
      ? [
          {
            label: 'Rename, move or tag',
            icon: <IconFolderSymlink {...icon} />,
            onClick: () => setDialog('details'),
          },
          'divider' as const,
          {
            label: 'Delete',
            icon: <IconTrash {...icon} />,
            danger: true,
            onClick: () => setDialog('delete'),
          },
        ]
      : []),
  ]

  const header = editing ? (
    <>
      <IconButton
        label="Undo"
        icon={<IconArrowBackUp {...icon} />}
        disabled={draft.past.length === 0}
        onClick={() => act({ type: 'undo' })}
      />
      <IconButton
        label="Redo"
        icon={<IconArrowForwardUp {...icon} />}
        disabled={draft.future.length === 0}
        onClick={() => act({ type: 'redo' })}
      />
      <HeaderDivider />
      <Menu trigger={<Button icon={<IconPlus {...icon} />}>Add tile</Button>} items={newTileMenu(onAdd)} />
      <HeaderDivider />
      <Button onClick={cancel}>Cancel</Button>
      <Button
        variant="primary"
        icon={<IconDeviceFloppy {...icon} />}
        busy={saving}
        onClick={() => void save()}
      >
        Save
      </Button>
    </>
  ) : (
    <>
      <FavouriteStar name={shown} />
      {more.length === 0 ? null : (
        <Menu trigger={<IconButton label="More actions" icon={<IconDots {...icon} />} />} items={more} />
      )}
      {mayEdit ? (
        <Button variant="primary" icon={<IconPencil {...icon} />} onClick={() => goTo({ edit: true })}>
          Edit
        </Button>
      ) : null}
    </>
  )

  return (
    <RefreshContext value={report}>
      <Page
        aside={
          editing ? (
            <BuilderPanel
              content={content}
              selectedId={draft.selectedId}
              onAdd={onAdd}
              onChange={(id, fields, topic) => act({ type: 'change', id, fields, topic })}
              onChangeData={(id, dataPrep, fields) => act({ type: 'changeData', id, dataPrep, fields })}
              onReplace={(id, tile, dataPrep) => act({ type: 'replace', id, tile, dataPrep })}
              onImport={actions.onImport}
            />
          ) : undefined
        }
        asideLabel="Settings"
      >
        <PageHeader
          note={editing ? (shown === undefined ? 'not saved yet' : `editing · v${shown.version}`) : undefined}
          actions={header}
        />
        {editing ? null : (
          <div className={styles.bar}>
            {shown.description === '' ? null : (
              <p className={styles.description} title={shown.description}>
                {shown.description}
              </p>
            )}
            <RefreshNote
              times={times}
              onRefresh={() => void client.invalidateQueries({ queryKey: [streamData.name] })}
            />
          </div>
        )}
        {content.tiles.length === 0 ? (
          <EmptyState
            icon={<IconLayoutDashboard size={20} stroke={1.6} />}
            title="This insight has no tiles"
            action={
              editing || !mayEdit ? undefined : (
                <Button onClick={() => goTo({ edit: true })}>Edit the insight</Button>
              )
            }
          >
            {editing ? 'Add a chart, a table or a text from the panel.' : 'Nothing has been added to it yet.'}
          </EmptyState>
        ) : (
          <TileGrid content={content} editing={editing} selectedId={draft.selectedId} actions={actions} />
        )}
      </Page>
      <input
        id={fileInputId}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label="Configuration file"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          void importFile(file)
          event.target.value = ''
        }}
      />
      <SeriesPicker
        open={dialog === 'quick'}
        combinable
        onClose={() => setDialog(undefined)}
        onPick={addQuickChart}
      />
      {dialog === 'create' || dialog === 'copy' || dialog === 'details' ? (
        <SaveDialog
          {...dialogTexts[dialog]}
          initial={formOf(dialog, shown, search.get('groupName') ?? settings?.defaultGroup ?? '')}
          onSave={saveForm}
          onClose={() => setDialog(undefined)}
        />
      ) : null}
      <DeleteInsightDialog
        name={dialog === 'delete' ? shown : undefined}
        onClose={() => setDialog(undefined)}
        onDeleted={() => void navigate(links.insightList(), { replace: true })}
      />
      <ConfirmDialog
        open={dialog === 'discard'}
        title="Unsaved changes"
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        danger
        onClose={() => setDialog(undefined)}
        onConfirm={() => {
          dispatch({ type: 'reset', content: baseline })
          goTo({ edit: false })
        }}
      >
        The changes since the last save will be lost.
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'conflict'}
        title="Saved by somebody else"
        confirmLabel="Save mine over it"
        cancelLabel="Keep editing"
        danger
        onClose={() => setDialog(undefined)}
        onConfirm={() => save({ force: true })}
      >
        This insight was saved by somebody else while you were editing it. Their version stays in the history
        of the file when you save yours over it. To see it first, open the insight in another tab.
      </ConfirmDialog>
      <UnsavedGuard when={dirty} />
    </RefreshContext>
  )
}

/** A field that takes its text over when it is left does so before a save. */
async function leaveField(): Promise<void> {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  await new Promise((resolve) => setTimeout(resolve))
}

const dialogTexts = {
  create: { title: 'Save insight', submitLabel: 'Save' },
  copy: { title: 'Save a copy', submitLabel: 'Save copy' },
  details: { title: 'Rename, move or tag', submitLabel: 'Save' },
}

function formOf(
  dialog: 'create' | 'copy' | 'details',
  shown: Insight | undefined,
  groupName: string,
): InsightForm {
  if (shown === undefined) return { insightName: '', groupName, description: '', tags: [] }
  const { insightName, description, tags } = shown
  return {
    insightName: dialog === 'copy' ? `${insightName} copy` : insightName,
    groupName: dialog === 'copy' && !shown.writeAccess ? groupName : shown.groupName,
    description,
    tags,
  }
}

/** Outside of a form every error is told as a message, each wrong field by its own. */
function tellErrors(error: unknown): void {
  if (error instanceof ApiError && error.validationErrors.length > 0)
    for (const { message: text } of error.validationErrors) message(text, 'error')
  else toastError(error)
}

/** Shows the tile whose title the hash of the URL names. */
function useScrollToHash(hash: string, tiles: readonly Tile[]): void {
  const wanted = decodeHash(hash)
  const id = wanted === '' ? undefined : tiles.find(({ title }) => title === wanted)?.id
  useEffect(() => {
    if (id === undefined) return
    const place = document.querySelector(`[data-tile-id="${CSS.escape(id)}"]`)
    place?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }, [id])
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.replace(/^#/, ''))
  } catch {
    return ''
  }
}

/** When each tile last got data. */
function useRefreshTimes() {
  const [byTile, setByTile] = useState<ReadonlyMap<string, RefreshTime>>(new Map())
  const report = useCallback((tileId: string, time: RefreshTime | undefined) => {
    setByTile((before) => {
      const next = new Map(before)
      if (time === undefined) next.delete(tileId)
      else next.set(tileId, time)
      return next
    })
  }, [])
  return { times: useMemo(() => [...byTile.values()], [byTile]), report }
}
