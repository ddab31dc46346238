import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '@headwater/web-kit'
import {
  deleteTrashed,
  listTrash,
  restoreTrashed,
  type TrashedObject,
  type TrashKind,
} from '../contract/index.ts'
import { attemptEach } from './attempt-each.ts'

/** Query of the kind of the object that was deleted last, once per opening of the trash; null for an empty trash. */
export function useNewestKind(kinds: readonly TrashKind[], { enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: ['newestKind', ...kinds],
    queryFn: async ({ signal }): Promise<TrashKind | null> => {
      const newest = await Promise.all(
        kinds.map(async (kind) => {
          const { items } = await call(listTrash, { params: { kind }, query: { size: 1 } }, { signal })
          return { kind, deletedAt: items[0]?.deletedAt ?? '' }
        }),
      )
      const [first] = newest
        .filter(({ deletedAt }) => deletedAt !== '')
        .toSorted((a, b) => (a.deletedAt < b.deletedAt ? 1 : -1))
      return first?.kind ?? null
    },
    enabled,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
}

/** Restores objects, a single one under another name if one is given, and refreshes all lists. */
export function useRestore(kind: TrashKind) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ objects, name }: { objects: readonly TrashedObject[]; name?: string }) =>
      attemptEach(objects, ({ id }) =>
        call(
          restoreTrashed,
          { params: { kind, id }, body: name === undefined ? {} : { name } },
          { keep: true },
        ),
      ),
    onSettled: () => cache.invalidateQueries(),
  })
}

/** Deletes objects of the trash permanently. */
export function useDeletePermanently(kind: TrashKind) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (objects: readonly TrashedObject[]) =>
      attemptEach(objects, ({ id }) => call(deleteTrashed, { params: { kind, id } }, { keep: true })),
    onSettled: () => cache.invalidateQueries(),
  })
}
