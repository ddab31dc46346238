import { useQuery } from '@tanstack/react-query'
import { countOf } from '@headwater/contract'
import { call, routeKey } from '@headwater/web-kit'
import { searchPipelines } from '../../contract/index.ts'

/** Maximum number of names in the note. */
const maxNames = 5

/** Note in the dialog that deletes a task: the pipelines that use it fail without it. */
export default function PipelinesOfTask({ task }: { task: { name: string; groupName: string } }) {
  const input = { query: { taskName: task.name, taskGroup: task.groupName, size: maxNames } }
  const { data } = useQuery({
    queryKey: routeKey(searchPipelines, input),
    queryFn: ({ signal }) => call(searchPipelines, input, { signal }),
    gcTime: 0,
  })
  if (data === undefined) return null
  const { totalSize, items } = data
  if (totalSize === 0) return <p>No pipeline that you can read uses it.</p>
  const others = totalSize - items.length
  const names = [...items.map(({ name }) => name), ...(others > 0 ? [countOf(others, 'other')] : [])]
  const list = new Intl.ListFormat('en-GB').format(names)
  return (
    <p>{`${countOf(totalSize, 'pipeline')} ${totalSize === 1 ? 'uses' : 'use'} it and can no longer run: ${list}.`}</p>
  )
}
