import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getApproval, waitsForUnableText } from '@headwater/approvals/contract'
import { isReference } from '@headwater/runs/contract'
import { type Job, type StatusRow, visibleStatus } from '@headwater/statuses/contract'
import {
  Button,
  call,
  CopyButton,
  Fact,
  Facts,
  GroupLink,
  ifThere,
  links,
  routeKey,
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
  isApproval,
}: {
  job: Job
  pipelineId: string
  nodeId: string
  /** Name of the task. */
  label: string
  objects: readonly ObjectParam[]
  /** Whether approvers decide about the task. */
  isApproval: boolean
}) {
  const rows = statusRowsOf(job, nodeId)
  return (
    <div className={styles.box}>
      <h2 className={styles.title}>{label}</h2>
      {rows.length === 0 ? <p className={styles.note}>This run has not started the task.</p> : null}
      {rows.map((row) => (
        <Row key={row.eId} row={row} jobId={job.jobId} nodeId={nodeId} isApproval={isApproval} />
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

/**
 * Names the approvers that the run waits for, and which of them cannot decide. Readers of the run who cannot read the
 * approval see nothing.
 */
function ApprovalNote({ jobId, nodeId }: { jobId: string; nodeId: string }) {
  const input = { body: { jobId, nodeId } }
  const { data } = useQuery({
    queryKey: routeKey(getApproval, input),
    queryFn: async ({ signal }) => (await ifThere(call(getApproval, input, { signal }))) ?? null,
  })
  if (data == null) return null
  const open = data.approvers.filter(({ isApproved }) => isApproved === null)
  return (
    <>
      <p className={styles.note}>
        Waiting for approval by {open.map(({ userName }) => userName).join(', ')}.
      </p>
      {data.unableApprovers.length === 0 ? null : (
        <p className={styles.note}>{waitsForUnableText(data.unableApprovers)}</p>
      )}
    </>
  )
}

function Row({
  row,
  jobId,
  nodeId,
  isApproval,
}: {
  row: StatusRow
  jobId: string
  nodeId: string
  /** Whether approvers decide about the task. */
  isApproval: boolean
}) {
  const { eId, prevEId, startTime, endTime, component, payload, warnStatuses } = row
  const { groupName, fileName, fileType } = payload
  return (
    <section className={styles.row} aria-label={`Execution ${eId}`}>
      <StatusBadge status={visibleStatus(row)} />
      {row.message === '' ? null : <pre className={styles.message}>{row.message}</pre>}
      {isApproval && row.status === 'PAUSED' ? <ApprovalNote jobId={jobId} nodeId={nodeId} /> : null}
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
        {prevEId === undefined ? null : <IdFact name="Previous execution" id={prevEId} />}
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
