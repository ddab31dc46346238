import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, ConfirmDialog, Dialog, ErrorState, message, routeKey, Skeleton } from '@headwater/web-kit'
import { getDemoRemoval, removeDemo, type DemoRemoval } from '../../contract/index.ts'

const title = 'Remove the demo'

/** Asks before the demo workspace goes: says which groups go with it, and what stays of those that users saved in. */
export function RemoveDemoDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const removal = useQuery({
    queryKey: routeKey(getDemoRemoval, {}),
    queryFn: ({ signal }) => call(getDemoRemoval, {}, { signal }),
    // What was saved since the question was asked last must be told.
    gcTime: 0,
  })
  if (removal.data === undefined || removal.isRefetchError)
    return (
      <Dialog open onClose={onClose} title={title}>
        {removal.error ? (
          <ErrorState error={removal.error} onRetry={() => void removal.refetch()} />
        ) : (
          <Skeleton lines={4} />
        )}
      </Dialog>
    )
  const { groups } = removal.data
  const staying = groups.filter((group) => keptIn(group) !== '')
  const going = groups.filter((group) => keptIn(group) === '')
  return (
    <ConfirmDialog
      open
      title={title}
      confirmLabel="Remove"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await call(removeDemo, {}, { keep: true })
        message('The demo workspace has been removed.')
        await client.invalidateQueries()
      }}
    >
      {going.length > 0 ? (
        <p>{`Deleted with everything in ${going.length === 1 ? 'it' : 'them'}: ${listed(going.map(({ name }) => name))}.`}</p>
      ) : null}
      {staying.length > 0 ? (
        <>
          <p>Only the demo data is deleted from these groups; the rest stays:</p>
          <ul>
            {staying.map((group) => (
              <li key={group.name}>{`${group.name}: ${keptIn(group)}`}</li>
            ))}
          </ul>
        </>
      ) : null}
      <p>Insights and data preps that use demo series lose their data. You can't undo this action.</p>
    </ConfirmDialog>
  )
}

/** What stays in a group, in words; empty when nothing does. */
function keptIn({ files, insights, dataPreps }: DemoRemoval['groups'][number]): string {
  const kinds = [counted(insights, 'insight'), counted(files, 'file'), counted(dataPreps, 'data prep')]
  return listed(kinds.filter((text) => text !== ''))
}

function counted(count: number, word: string): string {
  return count === 0 ? '' : `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`
}

function listed(words: readonly string[]): string {
  return new Intl.ListFormat('en-US').format(words)
}
