import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import IconExclamationCircle from '@tabler/icons-react/dist/esm/icons/IconExclamationCircle.mjs'
import { useCan, useSettings } from '@headwater/accounts/web'
import { fileName as validName } from '@headwater/files/contract'
import { GroupPicker } from '@headwater/groups/web'
import type { FileReference } from '@headwater/tile-data/contract'
import { useInsightData } from '@headwater/tile-data/web'
import { Button, FileDrop, Progress } from '@headwater/web-kit'
import styles from './FileUpload.module.css'
import type { UploadKind } from './upload-kind.ts'
import { useUpload } from './use-upload.ts'

/** Uploads one file from the computer to the lake for a tile. */
export function FileUpload({
  kind,
  onUploaded,
}: {
  kind: UploadKind
  onUploaded: (file: FileReference) => void
}) {
  const canUpload = useCan()('Files', 'RW', 'Lake')
  const own = useOwnGroup()
  const [chosen, setChosen] = useState<string | null>()
  const [picking, setPicking] = useState(false)
  const { step, setStep, take, start, send, cancel } = useUpload(kind, onUploaded)
  const area = useRef<HTMLDivElement>(null)
  const before = useRef(step.at)
  useEffect(() => {
    if (before.current === step.at) return
    before.current = step.at
    // The pressed button may no longer exist.
    if (document.activeElement === document.body)
      area.current?.querySelector('button')?.focus({ preventScroll: true })
  }, [step.at])
  if (!canUpload) return null
  const group = chosen === undefined ? own : chosen
  const isBusy = step.at === 'sending' || step.at === 'checking'

  return (
    <div ref={area} className={styles.upload} role="group" aria-label="Upload from this computer">
      {step.at === 'sending' ? (
        <div className={styles.sending}>
          <p role="status">Uploading {step.name}</p>
          <Progress label={`Upload of ${step.name}`} value={step.progress} />
          <Button size="small" onClick={cancel}>
            Cancel upload
          </Button>
        </div>
      ) : (
        <FileDrop
          label={`A ${kind.noun} from this computer`}
          text={`Drop a ${kind.noun} here, or`}
          buttonLabel="choose a file"
          disabled={isBusy}
          accept={kind.extensions.map((each) => `.${each}`).join(',')}
          onFiles={(files) => void take(files, group)}
        />
      )}
      {step.at === 'exists' ? (
        <div className={styles.prompt} role="alert">
          <p>
            {step.groupName} already has a file {step.file.name}. The upload becomes its latest version
            everywhere it is used.
          </p>
          <div className={styles.buttons}>
            <Button
              size="small"
              onClick={() =>
                void send(step.file, {
                  groupName: step.groupName,
                  fileName: validName.parse(step.file.name),
                })
              }
            >
              Upload new version
            </Button>
            <Button size="small" onClick={() => setStep({ at: 'start' })}>
              Cancel
            </Button>
          </div>
        </div>
      ) : null}
      {step.at === 'start' && step.problem !== undefined ? (
        <p className={styles.problem} role="alert">
          <IconExclamationCircle size={14} stroke={1.6} aria-hidden="true" />
          <span>{step.problem}</span>
        </p>
      ) : null}
      {picking || group === null || step.at === 'group' ? (
        <GroupPicker
          label="Upload into"
          value={group}
          disabled={isBusy}
          error={step.at === 'group' ? `Choose a group for ${step.file.name}.` : undefined}
          onChange={(name) => {
            setChosen(name)
            if ((step.at === 'group' || step.at === 'exists') && name !== null) void start(step.file, name)
            else setStep({ at: 'start' })
          }}
        />
      ) : (
        <p className={styles.into}>
          Uploads to the group {group}.
          <Button size="small" variant="quiet" disabled={isBusy} onClick={() => setPicking(true)}>
            Change
          </Button>
        </p>
      )}
    </div>
  )
}

/** Returns the default group of uploads: the group of the insight, otherwise the group in the URL or in the settings. */
function useOwnGroup(): string | null {
  const { name } = useInsightData()
  const [search] = useSearchParams()
  const settings = useSettings()
  return name?.groupName ?? (search.get('groupName') || settings?.defaultGroup || null)
}
