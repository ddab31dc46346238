import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconTrashX from '@tabler/icons-react/dist/esm/icons/IconTrashX.mjs'
import {
  ApiError,
  Button,
  ContextMenu,
  countOf,
  DataTable,
  EmptyState,
  intervals,
  type MenuEntry,
  message,
  NothingFound,
  SearchField,
  SelectionBar,
  toast,
  toastError,
  Toolbar,
  useInfiniteList,
} from '@headwater/web-kit'
import type { DeletedSortKey } from '@headwater/groups/contract'
import { listTrash, type TrashedObject, type TrashKind } from '../../contract/index.ts'
import { failureToast } from '../attempt-each.ts'
import { useRestore } from '../trash-client.ts'
import { DeletePermanentlyDialog } from './DeletePermanentlyDialog.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'
import { isFree, trashColumns } from './trash-columns.tsx'
import { labelsOf, restoredText } from './trash-labels.ts'

/** Table of the deleted objects of one kind, with search, sorting, selection, restoration and permanent deletion. */
export function TrashTable({ kind, tabs }: { kind: TrashKind; tabs: ReactNode }) {
  const labels = labelsOf[kind]
  const { text, setText } = useSearchText()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [menu, setMenu] = useState<{ object: TrashedObject; at: { x: number; y: number } }>()
  const [renamed, setRenamed] = useState<{ object: TrashedObject; error?: unknown }>()
  const [removed, setRemoved] = useState<readonly TrashedObject[]>([])
  const [sort, setSort] = useState<{ column: string; order: 'asc' | 'desc' }>({
    column: 'deletedAt',
    order: 'desc',
  })
  const restore = useRestore(kind)
  const list = useInfiniteList(
    listTrash,
    {
      params: { kind },
      query: { query: text, sortBy: sort.column as DeletedSortKey, sortOrder: sort.order },
    },
    { intervalMs: intervals.listMs },
  )
  const chosen = list.rows?.filter(({ id }) => selected.has(id)) ?? []
  const select = (objects: readonly TrashedObject[]) => setSelected(new Set(objects.map(({ id }) => id)))

  async function restoreAll(objects: readonly TrashedObject[]): Promise<void> {
    const { done, failed } = await restore.mutateAsync({ objects })
    select(failed.map(({ item }) => item))
    const [first] = failed
    if (failed.length === 1 && isNameTaken(first!.error))
      setRenamed({ object: first!.item, error: first!.error })
    else if (objects.length === 1 && first !== undefined) toastError(first.error)
    else if (failed.length > 0)
      toast(failureToast(`${labels.many(failed.length)} could not be restored.`, failed))
    if (done.length > 0)
      message(
        restoredText(
          kind,
          done.map(({ result }) => result),
        ),
      )
  }

  function menuOf(object: TrashedObject): MenuEntry[] {
    if (!isFree(object)) return []
    return [
      {
        label: 'Restore',
        icon: <IconArrowBackUp size={16} stroke={1.6} />,
        onClick: () => void restoreAll([object]),
      },
      {
        label: 'Restore under another name',
        icon: <IconArrowBackUp size={16} stroke={1.6} />,
        onClick: () => setRenamed({ object }),
      },
      {
        label: 'Delete permanently',
        icon: <IconTrashX size={16} stroke={1.6} />,
        danger: true,
        onClick: () => setRemoved([object]),
      },
    ]
  }

  return (
    <>
      <Toolbar>
        {tabs}
        <SearchField
          label={`Search ${labels.title.toLowerCase()}`}
          placeholder={kind === 'groups' ? 'Name' : 'Name or group'}
          value={text}
          onChange={setText}
        />
      </Toolbar>
      <DataTable
        label={labels.title}
        rowHeight={36}
        columns={trashColumns({ kind, onOpenMenu: (object, at) => setMenu({ object, at }) })}
        rowKey={({ id }) => id}
        {...list}
        sort={sort}
        onSortChange={setSort}
        selected={selected}
        onSelectedChange={setSelected}
        empty={
          text === '' ? (
            <EmptyState icon={<IconTrash size={28} stroke={1.4} />} title={labels.emptyTitle}>
              {labels.emptyText}
            </EmptyState>
          ) : (
            <NothingFound what={labels.title.toLowerCase()} onShowAll={() => setText('')} />
          )
        }
        onRowContextMenu={(object, at) => setMenu({ object, at })}
      />
      <ContextMenu
        at={menu?.at ?? null}
        onClose={() => setMenu(undefined)}
        items={menu === undefined ? [] : menuOf(menu.object)}
      />
      {chosen.length === 0 ? null : (
        <SelectionBar count={chosen.length} onClear={() => setSelected(new Set())}>
          {chosen.every(isFree) ? (
            <>
              <Button
                icon={<IconArrowBackUp size={16} stroke={1.6} />}
                busy={restore.isPending}
                onClick={() => void restoreAll(chosen)}
              >
                Restore
              </Button>
              <Button
                variant="dangerQuiet"
                icon={<IconTrashX size={16} stroke={1.6} />}
                onClick={() => setRemoved(chosen)}
              >
                Delete permanently
              </Button>
            </>
          ) : (
            <span>{`You cannot restore ${countOf(chosen.filter((object) => !isFree(object)).length, 'of these objects', 'of these objects')}.`}</span>
          )}
        </SelectionBar>
      )}
      <RestoreDialog
        kind={kind}
        object={renamed?.object}
        error={renamed?.error}
        onClose={() => setRenamed(undefined)}
      />
      <DeletePermanentlyDialog
        kind={kind}
        objects={removed}
        onClose={() => setRemoved([])}
        onDeleted={select}
      />
    </>
  )
}

function isNameTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'nameTaken'
}

/** The URL contains the search, so that a reload, the back button and a copied link show the same result. */
function useSearchText(): { text: string; setText: (text: string) => void } {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  return {
    text: new URLSearchParams(search).get('query') ?? '',
    setText: (text) => {
      const query = text === '' ? '' : new URLSearchParams({ query: text }).toString()
      void navigate({ pathname, search: query, hash }, { replace: true, preventScrollReset: true })
    },
  }
}
