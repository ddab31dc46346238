import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { GroupPicker } from '@headwater/groups/web'
import {
  Button,
  call,
  countOf,
  Dialog,
  FileDrop,
  Form,
  FormActions,
  links,
  message,
  routeKey,
  SubmitButton,
  TextField,
  toastError,
} from '@headwater/web-kit'
import {
  importPipeline,
  pipelineFile,
  searchPipelines,
  type ImportPreview,
  type PipelineFile,
} from '../../contract/index.ts'
import styles from './ImportPipelineDialog.module.css'

/** Maximum size of the file, in bytes; requests have the same limit. */
const maxFileBytes = 8 * 1024 * 1024

/** Choices of the user for an import. */
interface Choices {
  name: string
  /** Selected groups of this installation, by group name in the file. */
  groups: Record<string, string>
}

/** Dialog that imports a pipeline from a file: shows what the import changes, and offers fields for the groups. */
export default function ImportPipelineDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [file, setFile] = useState<PipelineFile>()
  const [preview, setPreview] = useState<ImportPreview>()
  const [choices, setChoices] = useState<Choices>({ name: '', groups: {} })

  const bodyOf = (given: PipelineFile, { name, groups }: Choices) => ({
    file: given,
    name,
    groups: Object.entries(groups).map(([from, to]) => ({ from, to })),
  })
  async function show(given: PipelineFile, next: Choices) {
    setChoices(next)
    if (next.name.trim() === '') return
    try {
      const result = await call(importPipeline, { body: { ...bodyOf(given, next), dryRun: true } })
      setFile(given)
      setPreview(result.preview)
    } catch (error) {
      toastError(error)
    }
  }
  async function read(chosen: File) {
    const given = await readFile(chosen)
    if (typeof given === 'string') message(given, 'error')
    else await show(given, { name: given.pipeline.name, groups: {} })
  }
  async function submit() {
    if (file === undefined || preview === undefined) return
    const version = preview.version ?? undefined
    const { saved, preview: done } = await call(
      importPipeline,
      { body: { ...bodyOf(file, choices), version, dryRun: false } },
      { keep: true },
    )
    void client.invalidateQueries({ queryKey: routeKey(searchPipelines) })
    for (const note of done.notes) message(note, 'info')
    message(preview.action === 'create' ? 'New Pipeline has been created.' : 'Pipeline has been saved.')
    onClose()
    if (saved !== null) void navigate(links.pipeline(saved.pipeline.groupName, saved.pipeline.name))
  }
  return (
    <Dialog open onClose={onClose} title="Import pipeline" width={560}>
      {file === undefined || preview === undefined ? (
        <FileDrop
          label="Pipeline file"
          text="Drop an exported pipeline here, or"
          buttonLabel="Choose a file"
          accept=".json"
          onFiles={([first]) => {
            if (first !== undefined) void read(first)
          }}
        />
      ) : (
        <Form label="Import pipeline" onSubmit={submit}>
          <TextField
            label="Name"
            required
            maxLength={300}
            value={choices.name}
            onChange={(name) => void show(file, { ...choices, name })}
          />
          {preview.groups.map(({ from, to, access }) => (
            <GroupPicker
              key={from}
              label={`Group ${from}`}
              writeOnly={from === file.pipeline.groupName}
              value={to}
              error={access === null ? 'You have no access to this group. Choose another one.' : undefined}
              onChange={(group) =>
                void show(file, { ...choices, groups: { ...choices.groups, [from]: group ?? from } })
              }
            />
          ))}
          <Preview preview={preview} />
          <FormActions>
            <Button onClick={onClose}>Cancel</Button>
            <SubmitButton>{preview.action === 'create' ? 'Import' : 'Import as a new version'}</SubmitButton>
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}

const kinds = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const

function Preview({
  preview: { action, version, changes, missingTasks, triggers, notes },
}: {
  preview: ImportPreview
}) {
  return (
    <>
      <p>
        {action === 'create'
          ? 'The import creates a pipeline but does not run it.'
          : `A pipeline with this name exists. The import saves a new version after version ${version ?? 1}.`}
      </p>
      <ul className={styles.list} aria-label="Changes" tabIndex={0}>
        {changes.fields.map((field) => (
          <li key={field}>{`Pipeline: ${field}`}</li>
        ))}
        {changes.tasks.map(({ id, name, kind, fields }) => (
          <li key={id}>{`${kinds[kind]}: ${name}${fields.length === 0 ? '' : ` (${fields.join(', ')})`}`}</li>
        ))}
        {triggers === 0 ? null : <li>{`${countOf(triggers, 'trigger')}, switched off`}</li>}
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
        {missingTasks.map((name) => (
          <li key={`missing ${name}`} className={styles.problem}>
            {`“${name}” uses a task that does not exist in this group. Choose the group that contains the task.`}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Returns the pipeline in a file, or the problem with the file. */
async function readFile(file: File): Promise<PipelineFile | string> {
  if (file.size > maxFileBytes) return 'The file is larger than 8 MB. Choose an exported pipeline.'
  try {
    const parsed = pipelineFile.safeParse(JSON.parse(await file.text()))
    return parsed.success ? parsed.data : 'The file is not an exported pipeline. Choose another file.'
  } catch {
    return 'The file is not JSON. Choose an exported pipeline.'
  }
}
