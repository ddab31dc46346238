import { useState } from 'react'
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
  SubmitButton,
  TextField,
} from '@headwater/web-kit'
import { createInsightTemplate, type Insight } from '../../contract/index.ts'

/** Saves an insight as a template: `{{name}}` in its texts becomes a parameter of the address. */
export default function SaveTemplateDialog({ insight, onClose }: { insight: Insight; onClose: () => void }) {
  const [form, setForm] = useState({
    name: insight.insightName,
    groupName: insight.groupName,
    description: insight.description,
  })
  const mayRunTasks = useCan()('Science')
  const [task, setTask] = useState<TaskRef | null>(null)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const set = (change: Partial<typeof form>) => {
    setForm({ ...form, ...change })
    setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => !(name in change))))
  }
  async function save() {
    const { content } = insight
    const parameters = placeholdersIn(content).map((name) => ({ name }))
    const run = task === null ? {} : { task: { taskName: task.name, taskGroupName: task.groupName } }
    await call(createInsightTemplate, { body: { ...form, ...run, content, parameters } }, { keep: true })
    if (task !== null) keepRecentTask(task)
    message('Template has been saved.')
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title="Save as template" width={460}>
      <Form
        label="Save as template"
        onSubmit={save}
        onError={(error) => setErrors(error === undefined ? {} : fieldErrors(error))}
      >
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={200}
          value={form.name}
          error={errors.name}
          onChange={(name) => set({ name })}
        />
        <GroupPicker
          required
          value={form.groupName === '' ? null : form.groupName}
          error={errors.groupName}
          onChange={(groupName) => set({ groupName: groupName ?? '' })}
        />
        <TextField
          label="Description"
          rows={3}
          maxLength={4000}
          value={form.description}
          error={errors.description}
          onChange={(description) => set({ description })}
        />
        {mayRunTasks ? (
          <TaskPicker
            clearable
            value={task}
            error={errors.task}
            hint="Optional, one that is saved in a group. It runs, with the parameters it has too, each time the template is opened, before its files are read."
            onChange={(chosen) => setTask(chosen && { name: chosen.name, groupName: chosen.groupName })}
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

/** The names in `{{name}}` in the texts of a definition, each once. */
function placeholdersIn(content: object): string[] {
  const names = JSON.stringify(content).matchAll(/\{\{\s*([^{}"\\]{1,200}?)\s*\}\}/g)
  return [...new Set(Array.from(names, ([, name = '']) => name))].slice(0, 100)
}
