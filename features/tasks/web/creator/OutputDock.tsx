import { useEffect, useRef, useState } from 'react'
import IconLayoutBottombar from '@tabler/icons-react/dist/esm/icons/IconLayoutBottombar.mjs'
import IconLayoutSidebarRight from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRight.mjs'
import { LogLines } from '@headwater/logs/web'
import type { Job } from '@headwater/statuses/contract'
import { isRunOver, RunNote, runMessage } from '@headwater/statuses/web'
import {
  Button,
  errorMessage,
  IconButton,
  links,
  readStoredText,
  Skeleton,
  TextLink,
  toastError,
  writeStoredText,
} from '@headwater/web-kit'
import styles from './OutputDock.module.css'
import type { TaskRun } from './use-task-run.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const
const storageKey = 'headwater.taskOutput'

/** Position of the output relative to the script. */
export type DockSide = 'below' | 'right'

/** Returns the position of the output, which the browser stores. Default: below the script. */
export function useDockSide(): [DockSide, (side: DockSide) => void] {
  const [side, setSide] = useState<DockSide>(readStoredText(storageKey) === 'right' ? 'right' : 'below')
  return [
    side,
    (next) => {
      setSide(next)
      writeStoredText(storageKey, next)
    },
  ]
}

/** Output of a task run, line by line while it runs. */
export function OutputDock({
  run,
  side,
  onSide,
}: {
  run: TaskRun & { jobId: string }
  side: DockSide
  onSide: (side: DockSide) => void
}) {
  const dock = useRef<HTMLElement>(null)
  const { jobId, job, error } = run
  useEffect(() => {
    dock.current?.scrollIntoView({ block: 'nearest' })
  }, [jobId])
  return (
    <section ref={dock} className={styles.dock} aria-label="Output">
      <div className={styles.bar}>
        <h2 className={styles.title}>Output</h2>
        {job && !isRunOver(job) && run.stop !== undefined ? <StopButton stop={run.stop} /> : null}
        {job ? (
          <TextLink href={links.logs(jobId)} newTab>
            Show log
          </TextLink>
        ) : null}
        <IconButton
          label={side === 'below' ? 'Move the output to the right' : 'Move the output below the script'}
          icon={side === 'below' ? <IconLayoutSidebarRight {...icon} /> : <IconLayoutBottombar {...icon} />}
          onClick={() => onSide(side === 'below' ? 'right' : 'below')}
        />
      </div>
      {job ? (
        <Lines key={jobId} job={job} />
      ) : job === null ? (
        <p className={styles.note}>The task was started. You need access to Statuses to see its output.</p>
      ) : error === null ? (
        <Skeleton lines={4} />
      ) : (
        <p className={styles.note}>{errorMessage(error)}</p>
      )}
    </section>
  )
}

function Lines({ job }: { job: Job }) {
  const [isEmpty, setEmpty] = useState(false)
  const isLive = !isRunOver(job)
  const taskMessage = job.componentStatuses.at(-1)?.message ?? ''
  const message = taskMessage === '' && !isLive ? runMessage(job) : taskMessage
  return (
    <>
      <RunNote job={job} />
      {isEmpty ? <pre className={styles.message}>{message === '' ? 'No output yet.' : message}</pre> : null}
      <LogLines
        jobId={job.jobId}
        filter={{}}
        isLive={isLive}
        isFollowed={isLive}
        isOfOneStep
        onEmpty={setEmpty}
      />
    </>
  )
}

function StopButton({ stop }: { stop: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  async function onClick() {
    setBusy(true)
    try {
      await stop()
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="small" busy={busy} onClick={() => void onClick()}>
      Stop
    </Button>
  )
}
