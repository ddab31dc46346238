import IconCalendarTime from '@tabler/icons-react/dist/esm/icons/IconCalendarTime.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFolderSymlink from '@tabler/icons-react/dist/esm/icons/IconFolderSymlink.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useSettings } from '@headwater/accounts/web'
import { Button, HeaderDivider, IconButton, Menu, type MenuEntry } from '@headwater/web-kit'
import type { DataPrepDetails } from '../../contract/index.ts'
import { PrepStar } from '../components/PrepStar.tsx'
import { downloadFormats } from './download.ts'
import type { CreatorActions, CreatorDialog } from './use-creator-actions.ts'
import styles from './CreatorButtons.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Buttons in the header of the creator. */
export function CreatorButtons({
  stored,
  canWrite,
  canRun,
  dirty,
  executing,
  actions,
  onDialog,
}: {
  stored: DataPrepDetails | undefined
  /** Whether the user can save data preps. */
  canWrite: boolean
  /** Whether the user can save and run this data prep. */
  canRun: boolean
  dirty: boolean
  executing: boolean
  actions: CreatorActions
  onDialog: (dialog: CreatorDialog) => void
}) {
  const format = useSettings()?.downloadFormat
  const sorted = downloadFormats.toSorted((a, b) => Number(b.value === format) - Number(a.value === format))
  const downloads: MenuEntry[] = [
    { heading: 'Download current rows' },
    ...sorted.map(({ value, label, extension }) => ({
      label: `${label} (.${extension})`,
      onClick: () => void actions.request({ kind: 'download', format: value }),
    })),
    {
      label: 'Exact values (.csv)',
      onClick: () => void actions.request({ kind: 'download', format: 'FAST_NCSV', isExact: true }),
    },
    ...(canRun
      ? ([
          'divider',
          {
            label: 'Run and download the file',
            disabled: executing,
            onClick: () => void actions.request({ kind: 'run', download: true }),
          },
        ] as const)
      : []),
  ]
  const more: MenuEntry[] =
    stored === undefined
      ? []
      : [
          {
            label: 'Versions',
            icon: <IconHistory {...icon} />,
            onClick: () => onDialog({ kind: 'versions' }),
          },
          ...(canWrite
            ? [
                {
                  label: 'Copy',
                  icon: <IconCopy {...icon} />,
                  onClick: () => onDialog({ kind: 'save', purpose: 'copy' }),
                },
              ]
            : []),
          ...(canRun
            ? ([
                {
                  label: 'Schedule',
                  icon: <IconCalendarTime {...icon} />,
                  onClick: () => onDialog({ kind: 'schedule' }),
                },
                {
                  label: 'Rename or move',
                  icon: <IconFolderSymlink {...icon} />,
                  onClick: () => onDialog({ kind: 'save', purpose: 'edit' }),
                },
                'divider',
                {
                  label: 'Delete',
                  icon: <IconTrash {...icon} />,
                  danger: true,
                  onClick: () => onDialog({ kind: 'delete' }),
                },
              ] as const)
            : []),
        ]
  return (
    <>
      {stored === undefined ? null : <PrepStar prep={stored} />}
      {more.length === 0 ? null : (
        <Menu trigger={<IconButton label="More actions" icon={<IconDots {...icon} />} />} items={more} />
      )}
      {stored === undefined ? null : (
        <span className={styles.wide}>
          <Button icon={<IconHistory {...icon} />} onClick={() => onDialog({ kind: 'versions' })}>
            Versions
          </Button>
          {canWrite ? (
            <Button icon={<IconCopy {...icon} />} onClick={() => onDialog({ kind: 'save', purpose: 'copy' })}>
              Copy
            </Button>
          ) : null}
        </span>
      )}
      <HeaderDivider />
      {canRun ? (
        <Button
          icon={<IconDeviceFloppy {...icon} />}
          busy={actions.saving}
          disabled={stored !== undefined && !dirty && stored.latest}
          onClick={() => void actions.save()}
        >
          Save
        </Button>
      ) : canWrite ? (
        <Button icon={<IconCopy {...icon} />} onClick={() => onDialog({ kind: 'save', purpose: 'copy' })}>
          Save a copy
        </Button>
      ) : null}
      <Menu
        trigger={
          <Button icon={<IconDownload {...icon} />} busy={actions.downloading}>
            Download
          </Button>
        }
        items={downloads}
      />
      {canRun ? (
        <Button
          variant="primary"
          icon={<IconPlayerPlay {...icon} />}
          busy={executing}
          onClick={() => void actions.request({ kind: 'run', download: false })}
        >
          Run
        </Button>
      ) : null}
    </>
  )
}
