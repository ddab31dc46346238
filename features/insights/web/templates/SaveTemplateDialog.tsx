import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { GroupPicker } from '@headwater/groups/web'
import { useCan } from '@headwater/accounts/web'
import { keepRecentTask, TaskPicker, type TaskRef } from '@headwater/tasks/web'
import {
  Button,
  call,
  Dialog,
  fieldErrors,
  Form,
  FormActions,
  message,
  routeKey,
  SubmitButton,
  TextField,
} from '@headwater/web-kit'
import { createInsightTemplate, searchInsightTemplates, type Insight } from '../../contract/index.ts'
import { errorOfFields, isPathOf, tellOtherErrors } from '../components/field-path.ts'
import { freeTemplateName, maxTemplateName } from './template-name.ts'

/** Saves an insight as a template: `{{name}}` in its texts becomes a parameter of the address. */
export default function SaveTemplateDialog({ insight, onClose }: { insight: Insight; onClose: () => void }) {
  const [form, setForm] = useState({ groupName: insight.groupName, description: insight.description })
  const [ownName, setOwnName] = useState<string>()
  const taken = useTemplateNames(insight.insightName, form.groupName)
  const name = ownName ?? freeTemplateName(insight.insightName, taken)
  const mayRunTasks = useCan()('Science')
  const [task, setTask] = useState<TaskRef | null>(null)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  /** A change of a field takes its error away. */
  const forget = (field: string) =>
    setErrors(Object.fromEntries(Object.entries(errors).filter(([path]) => !isPathOf(path, field))))
  const errorOf = (field: string) => errorOfFields(errors, [field])
  function takeErrors(error: unknown) {
    const found = fieldErrors(error)
    setErrors(found)
    tellOtherErrors(found, shownFields)
  }
  async function save() {
    const { content } = insight
    const parameters = placeholdersIn(content).map((name) => ({ name }))
    const run = task === null ? {} : { task: { taskName: task.name, taskGroupName: task.groupName } }
    await call(
      createInsightTemplate,
      { body: { ...form, name, ...run, content, parameters } },
      { keep: true },
    )
    if (task !== null) keepRecentTask(task)
    message('Template has been saved.')
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title="Save as template" width={460}>
      <Form label="Save as template" onSubmit={save} onError={takeErrors}>
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
        {mayRunTasks ? (
          <TaskPicker
            clearable
            inGroup
            value={task}
            error={errorOf('task')}
            hint={
              task === null || task.groupName === form.groupName
                ? 'Optional. It runs each time the template is opened.'
                : `It runs each time the template is opened. Who opens it needs read access to ${task.groupName}, too.`
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
    </Dialog>
  )
}

const shownFields = ['name', 'groupName', 'description', 'task']

/** The names of the templates of a group that may be in the way of one for an insight. */
function useTemplateNames(insightName: string, groupName: string): readonly string[] {
  const input = { query: { query: insightName, size: namesLookedAt } }
  const found = useQuery({
    queryKey: routeKey(searchInsightTemplates, input),
    queryFn: ({ signal }) => call(searchInsightTemplates, input, { signal }),
    staleTime: 0,
  })
  return (found.data?.items ?? [])
    .filter((template) => template.groupName === groupName)
    .map((template) => template.name)
}

const namesLookedAt = 100

/** The names in `{{name}}` in the texts of a definition, each once. */
function placeholdersIn(content: object): string[] {
  const names = JSON.stringify(content).matchAll(/\{\{\s*([^{}"\\]{1,200}?)\s*\}\}/g)
  return [...new Set(Array.from(names, ([, name = '']) => name))].slice(0, 100)
}
