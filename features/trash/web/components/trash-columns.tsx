import { ActionsButton, type Column, FileSize, Time } from '@headwater/web-kit'
import type { TrashedObject, TrashKind } from '../../contract/index.ts'

/** Returns whether the caller can restore an object and delete it permanently now. */
export function isFree({ canRestore, isBeingRestored }: TrashedObject): boolean {
  return canRestore && !isBeingRestored
}

/** Returns the columns of the deleted objects of a kind. */
export function trashColumns({
  kind,
  onOpenMenu,
}: {
  kind: TrashKind
  /** Called with the object and the position of its menu. */
  onOpenMenu: (object: TrashedObject, at: { x: number; y: number }) => void
}): Column<TrashedObject>[] {
  const { group, size, owner } = optionalColumns
  return [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(160px, 2.4fr)',
      sortable: true,
      text: ({ name }) => name,
      cell: ({ name }) => name,
    },
    ...(kind === 'groups' ? [] : [group]),
    {
      id: 'content',
      header: 'Content',
      width: 'minmax(100px, 1.6fr)',
      priority: 5,
      quiet: true,
      text: stateOf,
      cell: stateOf,
    },
    ...(kind === 'files' ? [size] : []),
    ...(kind === 'symbols' ? [] : [owner]),
    {
      id: 'deletedBy',
      header: 'Deleted by',
      width: 'minmax(100px, 1fr)',
      priority: 4,
      quiet: true,
      text: ({ deletedBy }) => deletedBy ?? '',
      cell: ({ deletedBy }) => deletedBy ?? '–',
    },
    {
      id: 'deletedAt',
      header: 'Deleted',
      width: 90,
      align: 'end',
      sortable: true,
      quiet: true,
      cell: ({ deletedAt }) => <Time value={deletedAt} show="compact" />,
    },
    {
      id: 'purgedAt',
      header: 'Expires',
      width: 100,
      align: 'end',
      priority: 2,
      quiet: true,
      cell: ({ purgedAt }) => <Time value={purgedAt} show="compact" />,
    },
    {
      id: 'actions',
      header: <span className="visually-hidden">Actions</span>,
      width: 28,
      cell: (object) =>
        isFree(object) ? (
          <ActionsButton
            name={object.name}
            onClick={({ currentTarget }) => {
              const { left, bottom } = currentTarget.getBoundingClientRect()
              onOpenMenu(object, { x: left, y: bottom })
            }}
          />
        ) : null,
    },
  ]
}

const optionalColumns: Record<'group' | 'size' | 'owner', Column<TrashedObject>> = {
  group: {
    id: 'groupName',
    header: 'Group',
    width: 'minmax(120px, 1fr)',
    priority: 1,
    sortable: true,
    text: ({ groupName }) => groupName,
    cell: ({ groupName }) => groupName,
  },
  size: {
    id: 'sizeBytes',
    header: 'Size',
    width: 90,
    priority: 3,
    align: 'end',
    sortable: true,
    cell: ({ sizeBytes }) => <FileSize bytes={sizeBytes ?? 0} />,
  },
  owner: {
    id: 'owner',
    header: 'Owner',
    width: 'minmax(100px, 1fr)',
    priority: 6,
    quiet: true,
    text: ({ owner }) => owner ?? '',
    cell: ({ owner }) => owner ?? '–',
  },
}

function stateOf({ isBeingRestored, message, content }: TrashedObject): string {
  if (isBeingRestored) return 'Being restored'
  return message === '' ? content : `Not restored: ${message}`
}
