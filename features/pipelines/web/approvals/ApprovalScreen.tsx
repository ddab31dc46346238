import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'react-router'
import { getApproval, waitsForUnableText } from '@headwater/approvals/contract'
import type { RouteOutput } from '@headwater/contract'
import {
  Button,
  call,
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  GroupLink,
  links,
  Page,
  PageHeader,
  Panel,
  routeKey,
  routeNames as names,
  sameName,
  Skeleton,
  Time,
  toastError,
} from '@headwater/web-kit'
import { approvePipeline, declinePipeline } from '../../contract/index.ts'
import styles from './ApprovalScreen.module.css'

type Approval = RouteOutput<typeof getApproval>

/**
 * The page that the mailed link of an approver opens. Only its buttons decide. The token is in the fragment of the URL. Links of the
 * monitor have none: they name the task.
 */
export default function ApprovalScreen() {
  const { jobId } = useParams()
  const [search] = useSearchParams()
  const token = useLocation().hash.replace(/^#/, '') || undefined
  const nodeId = search.get('step') ?? undefined
  if (jobId === undefined || (token === undefined && nodeId === undefined))
    return (
      <Page>
        <EmptyState title="Open the link from your e-mail">
          Approvers receive an e-mail with a link to this page. Each link works once, for one user.
        </EmptyState>
      </Page>
    )
  const link = token === undefined ? { jobId, nodeId } : { jobId, token }
  return <LinkedApproval key={JSON.stringify(link)} link={link} />
}

/** What identifies the approval: the token of an e-mail, or the task of a run. */
interface ApprovalLink {
  jobId: string
  token?: string
  nodeId?: string | undefined
}

function LinkedApproval({ link }: { link: ApprovalLink }) {
  const input = { body: link }
  const { data, error, refetch } = useQuery({
    queryKey: routeKey(getApproval, input),
    queryFn: ({ signal }) => call(getApproval, input, { signal }),
  })
  if (data !== undefined) return <Decision approval={data} link={link} />
  return (
    <Page>
      {error === null ? <Skeleton lines={6} /> : <ErrorState error={error} onRetry={() => void refetch()} />}
    </Page>
  )
}

function Decision({ approval, link }: { approval: Approval; link: ApprovalLink }) {
  const client = useQueryClient()
  const { pathname } = useLocation()
  const [isSending, setSending] = useState(false)
  const declines = sameName(pathname.split('/')[3], names.decline)
  async function decide(isApproved: boolean): Promise<void> {
    setSending(true)
    try {
      const body = { ...link, approveTime: new Date().toISOString() }
      await call(isApproved ? approvePipeline : declinePipeline, { body }, { keep: true })
    } catch (error) {
      toastError(error)
    }
    setSending(false)
    await client.invalidateQueries({ queryKey: routeKey(getApproval) })
  }
  return (
    <Page>
      <PageHeader title={approval.taskName} />
      <Panel title={`${approval.taskName}: ${stateTextOf(approval)}`} className={styles.panel}>
        <div className={styles.body}>
          {approval.message === '' ? null : <p className={styles.message}>{approval.message}</p>}
          <ApprovalFacts approval={approval} />
          {approval.state === 'WAITING' && !approval.canDecide ? (
            <p>Only the approvers and administrators can decide.</p>
          ) : null}
          {approval.canDecide ? (
            <div className={styles.buttons}>
              <Button
                variant={declines ? 'default' : 'primary'}
                disabled={isSending}
                onClick={() => void decide(true)}
              >
                Approve
              </Button>
              <Button
                variant={declines ? 'primary' : 'default'}
                disabled={isSending}
                onClick={() => void decide(false)}
              >
                Decline
              </Button>
            </div>
          ) : null}
        </div>
      </Panel>
    </Page>
  )
}

function ApprovalFacts({ approval }: { approval: Approval }) {
  const { groupName, deadline, approvers, required } = approval
  return (
    <>
      <Facts>
        <Fact name="Pipeline">{approval.pipelineName}</Fact>
        {groupName === '' ? null : (
          <Fact name="Group">
            <GroupLink href={links.group(groupName)}>{groupName}</GroupLink>
          </Fact>
        )}
        <Fact name="Requested">
          <Time value={approval.requestedAt} show="datetime" />
        </Fact>
        <Fact name="Needed">{neededText(required, approvers.length)}</Fact>
        {deadline === null ? null : (
          <Fact name={approval.approvesAtDeadline ? 'Approved at' : 'Declined at'}>
            <Time value={deadline} show="datetime" />
          </Fact>
        )}
      </Facts>
      <ul className={styles.approvers} aria-label="Approvers">
        {approvers.map(({ userName, isApproved, time }) => (
          <li key={userName}>
            <span>{userName}</span>
            <span>{isApproved === null ? 'No decision yet' : isApproved ? 'Approved' : 'Declined'}</span>
            {time === null ? null : <Time value={time} show="datetime" />}
          </li>
        ))}
      </ul>
      {approval.unableApprovers.length === 0 ? null : <p>{waitsForUnableText(approval.unableApprovers)}</p>}
      {approval.decidedBy === null ? null : (
        <p>{`The administrator ${approval.decidedBy} decided instead of the approvers.`}</p>
      )}
    </>
  )
}

function stateTextOf({ state, canDecide }: Approval): string {
  return state === 'WAITING' && !canDecide ? 'waiting for approval' : stateTexts[state]
}

const stateTexts: Record<Approval['state'], string> = {
  WAITING: 'your decision is needed',
  DECIDED: 'you have decided; other decisions are pending',
  APPROVED: 'approved',
  DECLINED: 'declined',
  ENDED: 'no longer pending',
}

function neededText(required: number, approvers: number): string {
  if (approvers === 1) return '1 approval'
  return required === approvers ? `all ${required} approvals` : `${required} of ${approvers} approvals`
}
