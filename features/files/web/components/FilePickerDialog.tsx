import { useState } from 'react'
import {
  Button,
  type Column,
  DataTable,
  Dialog,
  FileSize,
  NothingFound,
  SearchField,
  Time,
  useInfiniteList,
} from '@headwater/web-kit'
import { type File, searchFiles } from '../../contract/index.ts'
import { fileQuery } from '../file-query.ts'
import styles from './FilePickerDialog.module.css'

/** Distance from the end of the list at which more files load, in pixels. */
const loadMoreWithinPx = 400

/** Properties of {@link FilePickerDialog}. */
export interface FilePickerProps {
  open: boolean
  onClose: () => void
  /** Called with the selected file after the dialog has closed. */
  onSelect: (file: File) => void
  /** Heading. Default “Choose a file”. */
  title?: string
  /** Only files with one of these extensions, without the dot. Default: all. */
  extensions?: readonly string[]
  /** Only files of this group. Default: all groups that the user can read. */
  groupName?: string
}

/** A dialog for choosing a file of the lake. */
export function FilePickerDialog(props: FilePickerProps) {
  return props.open ? <OpenFilePicker {...props} /> : null
}

function OpenFilePicker({
  onClose,
  onSelect,
  title = 'Choose a file',
  extensions,
  groupName,
}: FilePickerProps) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<File>()
  const list = useInfiniteList(searchFiles, {
    query: {
      query: fileQuery(text, { groupName, latest: true }),
      ...(extensions === undefined ? {} : { extensions: extensions.join(',') }),
      sortBy: 'arrivalTime',
      sortOrder: 'desc',
    },
  })
  function select(file: File) {
    onClose()
    onSelect(file)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      width={720}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={chosen === undefined}
            onClick={() => chosen !== undefined && select(chosen)}
          >
            Select
          </Button>
        </>
      }
    >
      <div className={styles.picker}>
        <SearchField label="Search files" placeholder="Name or ID" value={text} onChange={setText} />
        <DataTable
          label="Files"
          rowHeight={32}
          columns={columns}
          rowKey={({ fid }) => fid}
          {...list}
          endReachedWithinPx={loadMoreWithinPx}
          selectsOne
          selected={new Set(chosen === undefined ? [] : [chosen.fid])}
          onSelectedChange={(selected) => {
            const added = [...selected].find((fid) => fid !== chosen?.fid)
            setChosen(list.rows?.find(({ fid }) => fid === added))
          }}
          opensOnClick
          activeKey={chosen?.fid}
          onOpenRow={setChosen}
          empty={<NothingFound />}
        />
      </div>
    </Dialog>
  )
}

const columns: Column<File>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(160px, 2fr)',
    text: ({ fileName }) => fileName,
    cell: ({ fileName }) => fileName || 'No file name found',
  },
  {
    id: 'groupName',
    header: 'Group',
    width: 'minmax(100px, 1fr)',
    priority: 1,
    quiet: true,
    text: ({ groupName }) => groupName,
    cell: ({ groupName }) => groupName,
  },
  {
    id: 'size',
    header: 'Size',
    width: 80,
    align: 'end',
    priority: 2,
    cell: ({ size }) => <FileSize bytes={size} />,
  },
  {
    id: 'arrivalTime',
    header: 'Uploaded',
    width: 90,
    align: 'end',
    priority: 3,
    quiet: true,
    cell: ({ arrivalTime }) => <Time value={arrivalTime} show="compact" />,
  },
]
