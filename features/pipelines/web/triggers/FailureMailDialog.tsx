import { useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useSession } from '@headwater/accounts/web'
import {
  Button,
  call,
  errorMessage,
  Form,
  FormActions,
  InputDialog,
  links,
  MultiSelect,
  routeKey,
  SubmitButton,
  toast,
} from '@headwater/web-kit'
import {
  createPipeline,
  searchPipelines,
  setPipelineSchedule,
  type TriggerInput,
} from '../../contract/index.ts'

/** Dialog that creates a second pipeline, which sends an e-mail after each failed run of this one. */
export function FailureMailDialog({
  pipeline: { id: pipelineId, name, groupName },
  onClose,
}: {
  pipeline: { id: string; name: string; groupName: string }
  onClose: () => void
}) {
  const { userName } = useSession()
  const [own] = useState([userName])
  const [recipients, setRecipients] = useState(own)
  const [problem, setProblem] = useState<string>()
  const client = useQueryClient()
  const mailName = `Failure e-mail of ${name}`
  /** Id of the created pipeline; the second attempt after an error adds only its trigger. */
  const created = useRef<string>(undefined)

  async function create() {
    setProblem(undefined)
    try {
      created.current ??= (
        await call(createPipeline, { body: mailPipeline({ name, groupName, mailName, recipients }) })
      ).pipeline.id
      const trigger: TriggerInput = {
        type: 'PIPELINE',
        name: '',
        active: true,
        becomeOwner: false,
        pipelineId,
        statuses: ['ERROR'],
      }
      await call(setPipelineSchedule, {
        params: { pipelineId: created.current },
        body: { schedulerTriggers: [trigger] },
      })
      void client.invalidateQueries({ queryKey: routeKey(searchPipelines) })
      toast({
        kind: 'success',
        title: `${mailName} has been created.`,
        action: { label: 'Open', href: links.pipeline(groupName, mailName) },
      })
      onClose()
    } catch (error) {
      setProblem(errorMessage(error))
    }
  }
  return (
    <InputDialog open onClose={onClose} title="E-mail on failure" unsaved={recipients !== own} width={480}>
      <p>
        {`The pipeline “${mailName}” will be created in the group ${groupName}. It sends an e-mail after each run of ${name} that ends with an error.`}
      </p>
      <Form label="E-mail on failure" onSubmit={create}>
        <MultiSelect
          label="Recipients"
          allowFree
          placeholder="Press Enter after each address"
          value={recipients}
          options={[]}
          error={problem}
          onChange={setRecipients}
        />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton disabled={recipients.length === 0}>Create pipeline</SubmitButton>
        </FormActions>
      </Form>
    </InputDialog>
  )
}

function mailPipeline({
  name,
  groupName,
  mailName,
  recipients,
}: {
  name: string
  groupName: string
  mailName: string
  recipients: readonly string[]
}) {
  const values = {
    subject: `The pipeline ${name} failed`,
    recipients: recipients.join(','),
    text: `A run of the pipeline “${name}” in the group ${groupName} ended with an error.\n\n${location.origin}${links.pipeline(groupName, name)}`,
  }
  const params = Object.entries(values).map(([param, value]) => ({ name: param, value }))
  const task = { id: 'mail', taskReadableName: 'Send e-mail', taskName: 'email-sender' }
  return { name: mailName, groupName, tasks: [{ ...task, taskOverrides: { params } }] }
}
