import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconListDetails from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs'
import IconShare from '@tabler/icons-react/dist/esm/icons/IconShare.mjs'
import IconSitemap from '@tabler/icons-react/dist/esm/icons/IconSitemap.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUserShare from '@tabler/icons-react/dist/esm/icons/IconUserShare.mjs'
import { openGroupShare } from '@headwater/groups/web'
import { type MenuEntry, openUsage } from '@headwater/web-kit'
import { isSeriesFile, type File } from '../../contract/index.ts'
import {
  canCreateNcsv,
  fileToolOf,
  openFileTool,
  openNcsvCreator,
  openSeriesPreview,
  usedObjectOf,
} from '../file-tools.ts'
import { FileToolIcon } from './FileToolIcon.tsx'

/** Returns the menu of a file in a list. Files are shared by their group. */
export function fileMenu(
  file: File,
  {
    canWrite,
    canShare,
    canTransfer,
    onOpen,
    onDownload,
    onTransfer,
    onDelete,
  }: {
    /** Whether the user can change the files of the group. */
    canWrite: boolean
    /** Whether the user can share the group. */
    canShare: boolean
    /** Whether the user can transfer the ownership of the file. */
    canTransfer: boolean
    /** Opens the details. */
    onOpen: () => void
    onDownload: () => void
    onTransfer: () => void
    onDelete: () => void
  },
): MenuEntry[] {
  const tool = fileToolOf(file, canWrite)
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
    ...(isSeriesFile(file.fileType) && tool?.action !== 'Preview'
      ? [
          {
            label: 'Preview',
            icon: <FileToolIcon action="Preview" size={16} />,
            onClick: () => openSeriesPreview(file),
          },
        ]
      : []),
    ...(canCreateNcsv(file) && canWrite
      ? [
          {
            label: 'Create NCSV',
            icon: <IconChartLine size={16} stroke={1.6} />,
            onClick: () => openNcsvCreator(file),
          },
        ]
      : []),
    {
      label: 'Details',
      icon: <IconListDetails size={16} stroke={1.6} />,
      onClick: onOpen,
    },
    {
      label: 'Download',
      icon: <IconDownload size={16} stroke={1.6} />,
      onClick: onDownload,
    },
    ...(canShare
      ? [
          {
            label: 'Share group',
            icon: <IconShare size={16} stroke={1.6} />,
            onClick: () => openGroupShare(file.groupName),
          },
        ]
      : []),
    {
      label: 'Usage',
      icon: <IconSitemap size={16} stroke={1.6} />,
      onClick: () => openUsage(usedObjectOf(file), file.fileName),
    },
    ...(canTransfer
      ? [
          {
            label: 'Transfer ownership',
            icon: <IconUserShare size={16} stroke={1.6} />,
            onClick: onTransfer,
          },
        ]
      : []),
    ...(canWrite
      ? [
          {
            label: 'Delete',
            icon: <IconTrash size={16} stroke={1.6} />,
            danger: true,
            onClick: onDelete,
          },
        ]
      : []),
  ]
}
