import { useState } from 'react'
import IconRestore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs'
import type { File } from '@headwater/files/contract'
import { useRestoreVersion } from '@headwater/files/web'
import { Button, EmptyState, toastError, type ToolProps } from '@headwater/web-kit'
import { Centered, FileContent, FileToolHeader } from '../components/FileContent.tsx'
import { readText } from '../text/text-content.ts'
import { FileDifference } from '../difference/FileDifference.tsx'
import { maxComparedBytes } from '../size-limits.ts'
import styles from './VersionsTool.module.css'

/**
 * Compares two versions of a text file. With write access the earlier one can be restored as a new version.
 * The id of the tool contains the ids of both versions, the earlier one first, with a space between them.
 */
export default function VersionsTool({ id, editable = false, onClose }: ToolProps) {
  const [earlier = '', later = ''] = id.split(' ')
  return (
    <FileContent fid={earlier} form="arraybuffer" limitBytes={maxComparedBytes} confirmsLarge={false}>
      {(before, contentBefore) => (
        <FileContent fid={later} form="arraybuffer" limitBytes={maxComparedBytes} confirmsLarge={false}>
          {(after, contentAfter) => (
            <Comparison
              before={{ file: before, content: contentBefore }}
              after={{ file: after, content: contentAfter }}
              canRestore={editable}
              onClose={onClose}
            />
          )}
        </FileContent>
      )}
    </FileContent>
  )
}

interface Version {
  file: File
  content: ArrayBuffer
}

function Comparison({
  before,
  after,
  canRestore,
  onClose,
}: {
  before: Version
  after: Version
  canRestore: boolean
  onClose: () => void
}) {
  const [texts] = useState(() => [readText(before.content), readText(after.content)] as const)
  const note = `compared with version ${before.file.version}`
  return (
    <>
      <FileToolHeader file={after.file} note={note}>
        {canRestore ? <RestoreButton {...before} onClose={onClose} /> : null}
      </FileToolHeader>
      {texts[0] === undefined || texts[1] === undefined ? (
        <Centered>
          <EmptyState title="One of the versions is not text">
            Only UTF-8 text can be compared. Download the versions to compare them in another program.
          </EmptyState>
        </Centered>
      ) : (
        <div className={styles.tool}>
          <FileDifference fileName={after.file.fileName} before={texts[0].text} after={texts[1].text} />
        </div>
      )}
    </>
  )
}

/** Saves a version again as the newest one. */
function RestoreButton({ file, content, onClose }: Version & { onClose: () => void }) {
  const restore = useRestoreVersion()
  return (
    <Button
      variant="primary"
      icon={<IconRestore size={16} stroke={1.6} />}
      busy={restore.isPending}
      onClick={() =>
        restore.mutate({ file, content: new Blob([content]) }, { onSuccess: onClose, onError: toastError })
      }
    >
      {`Restore version ${file.version}`}
    </Button>
  )
}
