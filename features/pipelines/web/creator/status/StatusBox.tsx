import type { ReactNode } from 'react'
import { isReference } from '@headwater/runs/contract'
import { type Job, type StatusRow, visibleStatus } from '@headwater/statuses/contract'
import {
  Button,
  call,
  CopyButton,
  Fact,
  Facts,
  GroupLink,
  links,
  StatusBadge,
  TextLink,
  Time,
} from '@headwater/web-kit'
import { listGeneratedValues } from '../../../contract/index.ts'
import { pageOfObject } from '../../runs/page-of-object.ts'
import { useOpenObject } from '../../runs/use-open-object.ts'
import { type ObjectParam, objectIdOf, statusRowsOf } from './status-rows.ts'
import styles from './StatusBox.module.css'

const texts = {
  FILE: { button: 'Show file', missing: 'No file found at the moment of task execution.' },
  DATA_PREP: { button: 'Show data prep', missing: 'No data prep found at the moment of task execution.' },
} as const

/** Content of the status box: the statuses of a task in a run, and links to its log, files and data preps. */
export function StatusBox({
  job,
  pipelineId,
  nodeId,
  label,
  objects,
}: {
  job: Job
  pipelineId: string
  nodeId: string
  /** Name of the task. */
  label: string
  objects: readonly ObjectParam[]
}) {
  const rows = statusRowsOf(job, nodeId)
  return (
    <div className={styles.box}>
      <h2 className={styles.title}>{label}</h2>
      {rows.length === 0 ? <p className={styles.note}>This run has not started the task.</p> : null}
      {rows.map((row) => (
        <Row key={row.eId} row={row} />
      ))}
      <div className={styles.buttons}>
        {objects.map((object, index) => (
          <ObjectButton
            key={`${object.type} ${object.name}`}
            object={object}
            job={job}
            pipelineId={pipelineId}
            // The first button has the focus when the box opens.
            isFirst={index === 0}
            isOnly={objects.filter(({ type }) => type === object.type).length === 1}
          />
        ))}
        <TextLink href={links.logs(job.jobId)} newTab>
          Show log
        </TextLink>
      </div>
    </div>
  )
}

function Row({ row }: { row: StatusRow }) {
  const { eId, prevEId, startTime, endTime, component, payload, warnStatuses } = row
  const { groupName, fileName, fileType } = payload
  return (
    <section className={styles.row} aria-label={`Execution ${eId}`}>
      <StatusBadge status={visibleStatus(row)} />
      {row.message === '' ? null : <pre className={styles.message}>{row.message}</pre>}
      <Facts>
        <Fact name="Started">
          <Time value={startTime} show="datetime" />
        </Fact>
        <Fact name="Ended">
          <Time value={endTime} show="datetime" />
        </Fact>
        <Fact name="Component">{component}</Fact>
        {payload.nodeId === undefined ? null : <Fact name="Node">{payload.nodeId}</Fact>}
        {groupName === undefined ? null : (
          <Fact name="Group">
            <GroupLink href={links.group(groupName)}>{groupName}</GroupLink>
          </Fact>
        )}
        {fileName === undefined ? null : <Fact name="File">{fileName}</Fact>}
        {fileType === undefined ? null : <Fact name="File type">{fileType}</Fact>}
        <IdFact name="Execution" id={eId} />
        {prevEId === undefined ? null : <IdFact name="Before it" id={prevEId} />}
      </Facts>
      {warnStatuses.length === 0 ? null : (
        <ul className={styles.warnings} aria-label="Warnings">
          {warnStatuses.map((warning, index) => (
            <li key={index}>
              <Time value={warning.startTime} show="time" /> {warning.message}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function IdFact({ name, id }: { name: string; id: string }): ReactNode {
  return (
    <Fact name={name}>
      <span className={styles.id}>
        <code title={id}>{id}</code>
        <CopyButton value={id} label={name} />
      </span>
    </Fact>
  )
}

/** Button that opens the version of the file or data prep that the run used. */
function ObjectButton({
  object,
  job: { jobId },
  pipelineId,
  isOnly,
  isFirst,
}: {
  object: ObjectParam
  job: Job
  pipelineId: string
  isOnly: boolean
  isFirst: boolean
}) {
  const { button, missing } = texts[object.type]
  const { busy, open } = useOpenObject(() => hrefOf(object, pipelineId, jobId), missing)
  return (
    <Button
      size="small"
      busy={busy}
      {...(isFirst ? { 'data-autofocus': true } : {})}
      onClick={() => void open()}
    >
      {isOnly ? button : `${button} of ${object.name}`}
    </Button>
  )
}

/** Returns the page of the file or data prep; undefined if the run had none, or the user cannot read it. */
async function hrefOf(
  { type, value }: ObjectParam,
  pipelineId: string,
  jobId: string,
): Promise<string | undefined> {
  const values = isReference(value)
    ? (await call(listGeneratedValues, { params: { pipelineId }, query: { jobId } })).items
    : []
  const id = objectIdOf(value, values)
  return id === undefined ? undefined : pageOfObject(type, id)
}
