import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { RouteOutput } from '@headwater/contract'
import { GroupPicker } from '@headwater/groups/web'
import { useCan } from '@headwater/accounts/web'
import { addRecentTask, TaskPicker, type TaskRef } from '@headwater/tasks/web'
import {
  ApiError,
  Button,
  call,
  ConfirmDialog,
  Dialog,
  fieldErrors,
  Form,
  FormActions,
  message,
  routeKey,
  SubmitButton,
  TextField,
  Time,
} from '@headwater/web-kit'
import {
  createInsightTemplate,
  lookUpTemplateName,
  maxTemplateName,
  type Insight,
} from '../../contract/index.ts'
import { errorOfFields, isPathOf, reportOtherErrors } from '@headwater/tiles/web'

/** Saves an insight as a template: `{{name}}` in its texts becomes a URL parameter. */
export default function SaveTemplateDialog({ insight, onClose }: { insight: Insight; onClose: () => void }) {
  const [form, setForm] = useState({ groupName: insight.groupName, description: insight.description })
  const [ownName, setOwnName] = useState<string>()
  const freeName = useFreeName(insight.insightName, form.groupName)
  const name = ownName ?? freeName
  const [inTheWay, setInTheWay] = useState<TemplateInTheWay>()
  const canRunTasks = useCan()('Science')
  const [task, setTask] = useState<TaskRef | null>(null)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  /** A change of a field removes its error. */
  const forget = (field: string) =>
    setErrors(Object.fromEntries(Object.entries(errors).filter(([path]) => !isPathOf(path, field))))
  const errorOf = (field: string) => errorOfFields(errors, [field])
  function takeErrors(error: unknown) {
    const problems = fieldErrors(error)
    setErrors(problems)
    reportOtherErrors(problems, formFields)
  }
  async function save(expectedFileId?: string) {
    const { content } = insight
    const parameters = placeholdersIn(content).map((name) => ({ name }))
    const run = task === null ? {} : { task: { taskName: task.name, taskGroupName: task.groupName } }
    await call(
      createInsightTemplate,
      { body: { ...form, name, expectedFileId, ...run, content, parameters } },
      { keep: true },
    )
    if (task !== null) addRecentTask(task)
    message('Template has been saved.')
    onClose()
  }
  /** Saves the template, after a confirmation if it replaces one. */
  async function saveOrConfirm() {
    try {
      await save()
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'templateExists')) throw error
      const { groupName } = form
      const { template } = await call(lookUpTemplateName, {
        query: { groupName, insightName: insight.insightName, name },
      })
      // The template may have been deleted in the meantime.
      if (template === null) await save()
      else setInTheWay(template)
    }
  }
  return (
    <Dialog open onClose={onClose} title="Save as template" width={460}>
      <Form label="Save as template" onSubmit={saveOrConfirm} onError={takeErrors}>
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={maxTemplateName}
          value={name}
          error={errorOf('name')}
          onChange={(typed) => {
            setOwnName(typed)
            forget('name')
          }}
        />
        <GroupPicker
          required
          value={form.groupName === '' ? null : form.groupName}
          error={errorOf('groupName')}
          onChange={(groupName) => {
            setForm({ ...form, groupName: groupName ?? '' })
            forget('groupName')
          }}
        />
        <TextField
          label="Description"
          rows={3}
          maxLength={4000}
          value={form.description}
          error={errorOf('description')}
          onChange={(description) => {
            setForm({ ...form, description })
            forget('description')
          }}
        />
        {canRunTasks ? (
          <TaskPicker
            clearable
            inGroup
            value={task}
            error={errorOf('task')}
            hint={
              task === null || task.groupName === form.groupName
                ? 'Optional. Runs each time the template is opened.'
                : `Runs each time the template is opened. Users who open it also need read access to ${task.groupName}.`
            }
            onChange={(chosen) => {
              setTask(chosen && { name: chosen.name, groupName: chosen.groupName })
              forget('task')
            }}
          />
        ) : null}
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>Save template</SubmitButton>
        </FormActions>
      </Form>
      <ConfirmDialog
        open={inTheWay !== undefined}
        title="Replace the template?"
        confirmLabel="Replace"
        danger
        onClose={() => setInTheWay(undefined)}
        onConfirm={() => save(inTheWay?.fileId)}
      >
        {inTheWay === undefined ? null : (
          <>
            {inTheWay.owner} saved “{inTheWay.name}” in {inTheWay.groupName},{' '}
            <Time value={inTheWay.modified} />. It remains available among the versions of its file.
          </>
        )}
      </ConfirmDialog>
    </Dialog>
  )
}

const formFields = ['name', 'groupName', 'description', 'task']

/** The existing template with this name. */
type TemplateInTheWay = NonNullable<RouteOutput<typeof lookUpTemplateName>['template']>

/** Returns a free template name in a group; empty until it is known. */
function useFreeName(insightName: string, groupName: string): string {
  const input = { query: { groupName, insightName } }
  const lookUp = useQuery({
    queryKey: routeKey(lookUpTemplateName, input),
    queryFn: ({ signal }) => call(lookUpTemplateName, input, { signal }),
    enabled: groupName !== '',
    staleTime: 0,
  })
  return lookUp.data?.freeName ?? ''
}

/** Returns the distinct names in `{{name}}` placeholders of a definition. */
function placeholdersIn(content: object): string[] {
  const names = JSON.stringify(content).matchAll(/\{\{\s*([^{}"\\]{1,200}?)\s*\}\}/g)
  return [...new Set(Array.from(names, ([, name = '']) => name))].slice(0, 100)
}
