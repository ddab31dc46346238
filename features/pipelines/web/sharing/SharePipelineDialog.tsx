import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { maxRecipients } from '@headwater/accounts/contract'
import {
  ApiError,
  Button,
  call,
  Dialog,
  errorMessage,
  ErrorState,
  Form,
  FormActions,
  links,
  message,
  MultiSelect,
  routeKey,
  Skeleton,
  SubmitButton,
  TextField,
  toast,
} from '@headwater/web-kit'
import { sharePipeline, type Pipeline, type PipelineSharing } from '../../contract/index.ts'
import styles from './SharePipelineDialog.module.css'

/** Dialog that shares a pipeline: the users, a message, and the groups with the access that each user gains. */
export default function SharePipelineDialog({
  pipeline: { id, name, groupName },
  onClose,
}: {
  pipeline: Pick<Pipeline, 'id' | 'name' | 'groupName'>
  onClose: () => void
}) {
  const [emails, setEmails] = useState<string[]>([])
  const [text, setText] = useState('')
  const url = `${location.origin}${links.pipeline(groupName, name)}`
  const request = { pipelineId: id, url, access: 'R', message: text, emails } as const
  const input = { body: { ...request, message: '', dryRun: true } }
  const preview = useQuery({
    queryKey: routeKey(sharePipeline, input),
    queryFn: ({ signal }) => call(sharePipeline, input, { signal }),
    retry: 0,
  })
  // The groups stay visible while another preview loads or an address is wrong.
  const [latest, setLatest] = useState<PipelineSharing>()
  if (preview.data !== undefined && preview.data !== latest) setLatest(preview.data)
  const problem = preview.error === null ? undefined : firstProblem(preview.error)

  async function share() {
    try {
      const { groupsNotShared } = await call(
        sharePipeline,
        {
          body: {
            ...request,
            ...(latest === undefined ? {} : { groupNames: latest.groups.map((group) => group.groupName) }),
          },
        },
        { keep: true },
      )
      if (groupsNotShared.length === 0) message('You succesfully shared pipeline.')
      else
        toast({
          kind: 'warn',
          title: 'Pipeline not fully shared',
          text: `Some groups could not be shared. User may lack permissions. Groups: ${groupsNotShared.join(', ')}.`,
        })
      onClose()
    } catch (error) {
      message(firstProblem(error), 'error')
    }
  }
  return (
    <Dialog open onClose={onClose} title={`Share ${name}`} width={560}>
      <Form label={`Share ${name}`} onSubmit={share}>
        <MultiSelect
          label="E-mail addresses"
          allowFree
          placeholder={`Press Enter after each address (up to ${maxRecipients})`}
          value={emails}
          options={[]}
          error={emails.length === 0 ? undefined : problem}
          onChange={setEmails}
        />
        <TextField
          label="Message"
          hint="Optional. Included in the e-mail to each person."
          rows={3}
          maxLength={2000}
          value={text}
          onChange={setText}
        />
        {latest !== undefined ? (
          <Preview preview={latest} />
        ) : preview.error === null ? (
          <Skeleton lines={3} />
        ) : (
          <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
        )}
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton disabled={emails.length === 0 || latest === undefined}>Share</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}

/** Groups of the pipeline with the access that each user gains. */
function Preview({ preview: { groups, tasksWithExpressions } }: { preview: PipelineSharing }) {
  return (
    <section className={styles.preview} aria-label="Access">
      <p className={styles.note}>
        People you share with can read everything in these groups. The owners of the groups can revoke this
        access.
      </p>
      <ul className={styles.groups} aria-label="Groups of the pipeline" tabIndex={0}>
        {groups.map(({ groupName, canShare, recipients }) => (
          <li key={groupName}>
            <span className={styles.group}>{groupName}</span>
            {canShare ? null : <span className={styles.problem}>You cannot share this group</span>}
            {recipients.length === 0 ? null : (
              <ul>
                {recipients.map((recipient) => (
                  <li key={recipient.email}>
                    <span className={styles.person}>{recipient.email}</span>
                    <span className={styles.note}>{gainOf(recipient)}</span>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      {tasksWithExpressions.length === 0 ? null : (
        <p className={styles.note}>
          {`At run time, expressions can refer to more groups. Tasks with expressions: ${tasksWithExpressions.join(', ')}.`}
        </p>
      )}
    </section>
  )
}

const accessNames = {
  R: 'read',
  RW: 'read and write',
  RS: 'read and share',
  RWS: 'read, write and share',
} as const

function gainOf({
  before,
  replacesRange,
  after,
}: PipelineSharing['groups'][number]['recipients'][number]): string {
  if (replacesRange) return `Gains access to all dates, instead of a range: ${accessNames[after]}`
  return before === null ? `Gains access: ${accessNames[after]}` : `Unchanged: ${accessNames[before]}`
}

/** Returns the first validation message of a failure, or else its message. */
function firstProblem(error: unknown): string {
  const validation = error instanceof ApiError ? error.validationErrors[0]?.message : undefined
  return validation ?? errorMessage(error)
}
