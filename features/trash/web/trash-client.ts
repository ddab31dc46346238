import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '@headwater/web-kit'
import { deleteTrashed, restoreTrashed, type TrashedObject, type TrashKind } from '../contract/index.ts'
import { attemptEach } from './attempt-each.ts'

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
