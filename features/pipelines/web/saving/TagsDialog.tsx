import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import {
  Button,
  call,
  Dialog,
  Form,
  FormActions,
  message,
  MultiSelect,
  routeKey,
  SubmitButton,
} from '@headwater/web-kit'
import {
  getPipelineByName,
  listPipelineTags,
  patchPipeline,
  searchPipelines,
  type Pipeline,
} from '../../contract/index.ts'
import { usePipelineTags } from '../pipelines-client.ts'
import { saveProblems } from './save-problems.ts'

/** Dialog that changes the tags of a pipeline without a new version. */
export function TagsDialog({
  pipeline: { id, name, tags: initial },
  onClose,
}: {
  pipeline: Pipeline
  onClose: () => void
}) {
  const client = useQueryClient()
  const [tags, setTags] = useState<string[]>([...initial])
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const known = usePipelineTags(text)

  async function save() {
    const input = { params: { pipelineId: id }, body: { objToUpdate: { tags } } }
    await call(patchPipeline, input, { keep: true })
    for (const route of [searchPipelines, getPipelineByName, listPipelineTags])
      void client.invalidateQueries({ queryKey: routeKey(route) })
    message('Pipeline has been saved.')
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={`Tags of ${name}`} width={440}>
      <Form
        label={`Tags of ${name}`}
        onSubmit={save}
        onError={(error) => setProblem(error === undefined ? undefined : saveProblems(error).fields.tags)}
      >
        <MultiSelect
          label="Tags"
          allowFree
          value={tags}
          error={problem}
          placeholder="Add a tag"
          options={known.tags.map((tag) => ({ value: tag, label: tag }))}
          onSearch={setText}
          total={known.total}
          onChange={setTags}
        />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>Save</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}
