import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconFileZip from '@tabler/icons-react/dist/esm/icons/IconFileZip.mjs'
import IconLayoutGrid from '@tabler/icons-react/dist/esm/icons/IconLayoutGrid.mjs'
import { ActionsButton, type Column, FileSize, GroupLink, links, Time } from '@headwater/web-kit'
import type { File } from '../../contract/index.ts'
import { FileStatus } from './FileStatus.tsx'
import styles from './FilesTable.module.css'

/** Returns the columns of the table of files. */
export function fileColumns({
  withGroup,
  withVersion,
  onOpen,
  onOpenMenu,
}: {
  /** Whether to include the column of the group. */
  withGroup: boolean
  /** Whether to display the version beside the name. */
  withVersion: boolean
  /** Called with the id of the file whose details to open. */
  onOpen: (fid: string) => void
  /** Called with the file and the position of its menu. */
  onOpenMenu: (file: File, at: { x: number; y: number }) => void
}): Column<File>[] {
  return [
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
          {withVersion ? <span className={styles.version}>v{file.version}</span> : null}
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
    ...(withGroup
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
      width: 'minmax(100px, 1.7fr)',
      priority: 5,
      sortable: true,
      quiet: true,
      text: (file) => file.owner,
      cell: (file) => file.owner,
    },
    {
      id: 'arrivalTime',
      header: 'Uploaded',
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
        <ActionsButton
          name={file.fileName}
          onClick={({ currentTarget }) => {
            const { left, bottom } = currentTarget.getBoundingClientRect()
            onOpenMenu(file, { x: left, y: bottom })
          }}
        />
      ),
    },
  ]
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
