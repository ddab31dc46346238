import { type ReactNode, useState } from 'react'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconFileZip from '@tabler/icons-react/dist/esm/icons/IconFileZip.mjs'
import IconLayoutGrid from '@tabler/icons-react/dist/esm/icons/IconLayoutGrid.mjs'
import IconListDetails from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import { useWritableGroups } from '@headwater/groups/web'
import {
  Button,
  type Column,
  ContextMenu,
  DataTable,
  FileSize,
  GroupLink,
  IconButton,
  intervals,
  links,
  type MenuEntry,
  SelectionBar,
  Time,
  toastError,
  useInfiniteList,
} from '@headwater/web-kit'
import { searchFiles, type File } from '../../contract/index.ts'
import { fileQuery } from '../file-query.ts'
import { downloadFiles } from '../files-client.ts'
import { fileToolOf, openFileTool } from '../file-tools.ts'
import { DeleteFilesDialog } from './DeleteFilesDialog.tsx'
import { FileStatus } from './FileStatus.tsx'
import { FileToolIcon } from './FileToolIcon.tsx'
import styles from './FilesTable.module.css'

type SortColumn = 'name' | 'fileType' | 'groupName' | 'size' | 'owner' | 'arrivalTime'

/** The files of the lake or of one group: searched, sorted, chosen, downloaded, deleted. */
export function FilesTable({
  text,
  groupName,
  latest,
  empty,
  opened,
  onOpen,
}: {
  /** What was typed into the search. */
  text: string
  /** Only files of this group; their column is left out. */
  groupName?: string
  /** Only the newest version of each file. */
  latest: boolean
  empty: ReactNode
  /** Id of the file whose details are open. */
  opened?: string | undefined
  onOpen: (fid: string) => void
}) {
  const can = useCan()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [deleted, setDeleted] = useState<readonly File[]>([])
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
    { intervalMs: intervals.listMs },
  )
  const chosen = list.rows?.filter((file) => selected.has(file.fid)) ?? []
  const touched = menu === undefined ? chosen : [...chosen, menu.file]
  const writable = useWritableGroups(touched.map((file) => file.groupName))
  const isWritable = (file: File) => can('Files', 'RW', 'Lake') && writable.has(file.groupName)
  function menuOf(file: File): MenuEntry[] {
    const tool = fileToolOf(file, isWritable(file))
    return [
      ...(tool === undefined
        ? []
        : [
            {
              label: tool.action,
              icon: <FileToolIcon action={tool.action} size={16} />,
              onClick: () => openFileTool(file, tool),
            },
          ]),
      {
        label: 'Details',
        icon: <IconListDetails size={16} stroke={1.6} />,
        onClick: () => onOpen(file.fid),
      },
      {
        label: 'Download',
        icon: <IconDownload size={16} stroke={1.6} />,
        onClick: () => void downloadFiles([file.fid]).catch(toastError),
      },
      ...(isWritable(file)
        ? [
            {
              label: 'Delete',
              icon: <IconTrash size={16} stroke={1.6} />,
              danger: true,
              onClick: () => setDeleted([file]),
            },
          ]
        : []),
    ]
  }
  const columns: Column<File>[] = [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(160px, 2.6fr)',
      sortable: true,
      text: (file) => file.fileName,
      cell: (file) => (
        <span className={styles.name}>
          <FileIcon file={file} />
          <button type="button" className={styles.open} onClick={() => onOpen(file.fid)}>
            {file.fileName || 'No file name found'}
          </button>
          {latest ? null : <span className={styles.version}>v{file.version}</span>}
        </span>
      ),
    },
    {
      id: 'fileType',
      header: 'Type',
      width: 90,
      priority: 3,
      sortable: true,
      quiet: true,
      text: (file) => file.fileType,
      cell: (file) => file.fileType,
    },
    ...(groupName === undefined
      ? [
          {
            id: 'groupName',
            header: 'Group',
            width: 'minmax(120px, 1fr)',
            priority: 2,
            sortable: true,
            text: (file: File) => file.groupName,
            cell: (file: File) => <GroupLink href={links.group(file.groupName)}>{file.groupName}</GroupLink>,
          },
        ]
      : []),
    {
      id: 'size',
      header: 'Size',
      width: 90,
      priority: 4,
      align: 'end',
      sortable: true,
      cell: (file) => <FileSize bytes={file.size} />,
    },
    {
      id: 'status',
      header: 'Status',
      width: 'minmax(100px, 1.6fr)',
      priority: 1,
      text: (file) => file.status?.message ?? '',
      cell: (file) => <FileStatus file={file} />,
    },
    {
      id: 'owner',
      header: 'Owner',
      width: 'minmax(100px, 1fr)',
      priority: 5,
      sortable: true,
      quiet: true,
      text: (file) => file.owner,
      cell: (file) => file.owner,
    },
    {
      id: 'arrivalTime',
      header: 'Arrived',
      width: 90,
      align: 'end',
      sortable: true,
      quiet: true,
      cell: (file) => <Time value={file.arrivalTime} show="compact" />,
    },
    {
      id: 'actions',
      header: <span className="visually-hidden">Actions</span>,
      width: 28,
      cell: (file) => (
        <IconButton
          label={`Actions of ${file.fileName}`}
          icon={<IconDots size={16} stroke={1.6} />}
          onClick={({ currentTarget }) => {
            const { left, bottom } = currentTarget.getBoundingClientRect()
            setMenu({ file, at: { x: left, y: bottom } })
          }}
        />
      ),
    },
  ]
  return (
    <>
      <DataTable
        label="Files"
        rowHeight={36}
        columns={columns}
        rowKey={(file) => file.fid}
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
          <Button
            icon={<IconDownload size={16} stroke={1.6} />}
            onClick={() => void downloadFiles(chosen.map((file) => file.fid)).catch(toastError)}
          >
            Download
          </Button>
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
      <DeleteFilesDialog
        files={deleted}
        onClose={() => setDeleted([])}
        onDeleted={() => setSelected(new Set())}
      />
    </>
  )
}

function FileIcon({ file }: { file: File }) {
  const Icon = file.zipped
    ? IconFileZip
    : file.fileType === 'INSIGHT'
      ? IconLayoutGrid
      : /\.n?csv$/i.test(file.fileName)
        ? IconFileSpreadsheet
        : IconFile
  return <Icon size={16} stroke={1.6} aria-hidden className={styles.icon} />
}
