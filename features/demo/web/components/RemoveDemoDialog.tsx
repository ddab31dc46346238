import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, ConfirmDialog, Dialog, ErrorState, message, routeKey, Skeleton } from '@headwater/web-kit'
import { getDemoRemoval, removeDemo, type DemoRemoval } from '../../contract/index.ts'

const title = 'Remove the demo'

/** Confirms the removal of the demo and lists the groups that it deletes and the content that remains. */
export function RemoveDemoDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const removal = useQuery({
    queryKey: routeKey(getDemoRemoval, {}),
    queryFn: ({ signal }) => call(getDemoRemoval, {}, { signal }),
    // The dialog must list content that was saved since it was last open.
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
  const staying = groups.filter((group) => remainingIn(group) !== '')
  const going = groups.filter((group) => remainingIn(group) === '')
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
              <li key={group.name}>{`${group.name}: ${remainingIn(group)}`}</li>
            ))}
          </ul>
        </>
      ) : null}
      <p>Insights and data preps that use demo series lose their data. You can't undo this action.</p>
    </ConfirmDialog>
  )
}

/** Returns text about the content that remains in a group; empty if nothing remains. */
function remainingIn({ files, insights, dataPreps, pipelines }: DemoRemoval['groups'][number]): string {
  const kinds = [
    counted(insights, 'insight'),
    counted(files, 'file'),
    counted(dataPreps, 'data prep'),
    counted(pipelines, 'pipeline'),
  ]
  return listed(kinds.filter((text) => text !== ''))
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}

function listed(parts: readonly string[]): string {
  return new Intl.ListFormat('en-US').format(parts)
}
