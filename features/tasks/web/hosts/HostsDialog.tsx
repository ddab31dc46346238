import { useState } from 'react'
import { Button, Dialog, fieldErrors, Form, message, MultiSelect } from '@headwater/web-kit'
import type { TaskWithHosts } from '../../contract/index.ts'
import { TaskPicker } from '../components/TaskPicker.tsx'
import { useSaveTaskHosts } from './hosts-client.ts'

const formId = 'task-hosts-form'

/** Dialog that changes the allowed hosts of a task. If no task is given, the user chooses one. */
export function HostsDialog({
  task,
  allowed,
  onClose,
}: {
  /** Task to change; undefined to choose one. */
  task: TaskWithHosts | undefined
  /** Tasks with allowed hosts, to show the hosts of the chosen task. */
  allowed: readonly TaskWithHosts[]
  onClose: () => void
}) {
  const save = useSaveTaskHosts()
  const [chosen, setChosen] = useState(
    task && { id: task.taskId, name: task.taskName, groupName: task.groupName },
  )
  const [hosts, setHosts] = useState<readonly string[]>(task?.hosts ?? [])
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const isUnchanged = task === undefined && hosts.length === 0
  async function submit() {
    if (chosen === undefined) return
    setSaving(true)
    try {
      await save(chosen.id, hosts)
      message('Your changes have been saved')
      onClose()
    } finally {
      setSaving(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      busy={isSaving}
      title={task === undefined ? 'Allow hosts' : `Hosts of ${task.taskName}`}
      width={480}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            busy={isSaving}
            disabled={chosen === undefined || isUnchanged}
          >
            Save
          </Button>
        </>
      }
    >
      <Form id={formId} label="Hosts" onSubmit={submit} onError={setProblem}>
        {task === undefined ? (
          <TaskPicker
            inGroup
            required
            value={chosen ?? null}
            onChange={(next) => {
              setChosen(next ?? undefined)
              setHosts(allowed.find(({ taskId }) => taskId === next?.id)?.hosts ?? hosts)
            }}
          />
        ) : null}
        <MultiSelect
          label="Hosts"
          allowFree
          placeholder="api.example.com"
          hint="Names or addresses such as api.example.com, *.example.com or 203.0.113.7:8443. Press Enter after each. Hosts without a port allow 80 and 443. Without hosts, the script has no network access."
          value={hosts}
          options={[]}
          onChange={setHosts}
          error={hostsProblem(problem)}
        />
      </Form>
    </Dialog>
  )
}

/** Returns the first error of the list or one of its hosts. */
function hostsProblem(error: unknown): string | null {
  return Object.values(fieldErrors(error))[0] ?? null
}
