import { type ReactNode, useEffect, useRef, useState } from 'react'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileZip from '@tabler/icons-react/dist/esm/icons/IconFileZip.mjs'
import IconListDetails from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import { canWrite } from '@headwater/groups/contract'
import { useCanShareGroup, useGroupAccess } from '@headwater/groups/web'
import { Button, ContextMenu, DataTable, intervals, SelectionBar, useInfiniteList } from '@headwater/web-kit'
import { searchFiles, type File } from '../../contract/index.ts'
import { fileQuery } from '../file-query.ts'
import { useDownload } from '../download-files.ts'
import { DeleteFilesDialog } from './DeleteFilesDialog.tsx'
import { fileColumns } from './file-columns.tsx'
import { fileMenu } from './file-menu.tsx'
import { TransferDialog, useCanTransfer } from './TransferDialog.tsx'

type SortColumn = 'name' | 'fileType' | 'groupName' | 'size' | 'owner' | 'arrivalTime'

/** Table of the files of the lake or of one group, with search, sorting, selection, download and deletion. */
export function FilesTable({
  text,
  groupName,
  latest,
  empty,
  opened,
  onOpen,
  onEmptied,
}: {
  /** Text of the search field. */
  text: string
  /** Only files of this group; their column is omitted. */
  groupName?: string
  /** Only the newest version of each file. */
  latest: boolean
  empty: ReactNode
  /** Id of the file whose details are open. */
  opened?: string | undefined
  onOpen: (fid: string) => void
  /** Called when the list has become empty. */
  onEmptied?: (() => void) | undefined
}) {
  const can = useCan()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [deleted, setDeleted] = useState<readonly File[]>([])
  const [transferred, setTransferred] = useState<File>()
  const canTransfer = useCanTransfer()
  const [menu, setMenu] = useState<{ file: File; at: { x: number; y: number } }>()
  const [sort, setSort] = useState<{ column: string; order: 'asc' | 'desc' }>({
    column: 'arrivalTime',
    order: 'desc',
  })
  const list = useInfiniteList(
    searchFiles,
    {
      query: {
        query: fileQuery(text, { groupName, latest }),
        withStatus: true,
        sortBy: sort.column as SortColumn,
        sortOrder: sort.order,
      },
    },
    { intervalMs: intervals.listMs, exactTotal: true },
  )
  useEmptied(list.rows, onEmptied)
  const download = useDownload()
  const chosen = list.rows?.filter((file) => selected.has(file.fid)) ?? []
  const touched = menu === undefined ? chosen : [...chosen, menu.file]
  const access = useGroupAccess(touched.map((file) => file.groupName))
  const canShareGroup = useCanShareGroup()
  const isWritable = (file: File) => {
    const mode = access.get(file.groupName)
    return mode !== undefined && canWrite(mode) && can('Files', 'RW', 'Lake')
  }
  function menuOf(file: File) {
    const mode = access.get(file.groupName)
    return fileMenu(file, {
      canWrite: isWritable(file),
      canShare: mode !== undefined && canShareGroup(mode),
      canTransfer: canTransfer(file),
      onOpen: () => onOpen(file.fid),
      onTransfer: () => setTransferred(file),
      onDownload: () => void download([file]),
      onDelete: () => setDeleted([file]),
    })
  }
  const columns = fileColumns({
    withGroup: groupName === undefined,
    withVersion: !latest,
    onOpen,
    onOpenMenu: (file, at) => setMenu({ file, at }),
  })
  return (
    <>
      <DataTable
        label="Files"
        rowHeight={36}
        columns={columns}
        rowKey={(file) => file.fid}
        rowIdentity={({ groupName, fileName }) => JSON.stringify([groupName, fileName])}
        {...list}
        sort={sort}
        onSortChange={setSort}
        selected={selected}
        onSelectedChange={setSelected}
        activeKey={opened}
        empty={empty}
        opensOnClick
        onOpenRow={(file) => onOpen(file.fid)}
        onRowContextMenu={(file, at) => setMenu({ file, at })}
      />
      <ContextMenu
        at={menu?.at ?? null}
        onClose={() => setMenu(undefined)}
        items={menu === undefined ? [] : menuOf(menu.file)}
      />
      {chosen.length === 0 ? null : (
        <SelectionBar count={chosen.length} onClear={() => setSelected(new Set())}>
          {chosen.length === 1 ? (
            <Button icon={<IconListDetails size={16} stroke={1.6} />} onClick={() => onOpen(chosen[0]!.fid)}>
              Details
            </Button>
          ) : null}
          <Button icon={<IconDownload size={16} stroke={1.6} />} onClick={() => void download(chosen)}>
            Download
          </Button>
          {chosen.length > 1 ? (
            <Button
              icon={<IconFileZip size={16} stroke={1.6} />}
              onClick={() => void download(chosen, { asArchive: true })}
            >
              Download as ZIP
            </Button>
          ) : null}
          {chosen.every(isWritable) ? (
            <Button
              variant="dangerQuiet"
              icon={<IconTrash size={16} stroke={1.6} />}
              onClick={() => setDeleted(chosen)}
            >
              Delete
            </Button>
          ) : null}
        </SelectionBar>
      )}
      <TransferDialog file={transferred} onClose={() => setTransferred(undefined)} />
      <DeleteFilesDialog
        files={deleted}
        onClose={() => setDeleted([])}
        onDeleted={() => setSelected(new Set())}
      />
    </>
  )
}

function useEmptied(rows: readonly File[] | undefined, onEmptied: (() => void) | undefined): void {
  const hadRows = useRef(false)
  useEffect(() => {
    if (rows?.length === 0 && hadRows.current) onEmptied?.()
    if (rows !== undefined) hadRows.current = rows.length > 0
  }, [rows, onEmptied])
}
