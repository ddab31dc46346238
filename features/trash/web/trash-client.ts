import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '@headwater/web-kit'
import { deleteTrashed, restoreTrashed, type TrashKind } from '../contract/index.ts'

/** Restores an object, with another name if one is given, and refreshes every list: the object appears in some of them. */
export function useRestore(kind: TrashKind) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name?: string }) =>
      call(
        restoreTrashed,
        { params: { kind, id }, body: name === undefined ? {} : { name } },
        { keep: true },
      ),
    onSettled: () => cache.invalidateQueries(),
  })
}

/** Deletes objects of the trash permanently, one after the other. */
export function useDeletePermanently(kind: TrashKind) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await call(deleteTrashed, { params: { kind, id } }, { keep: true })
    },
    onSettled: () => cache.invalidateQueries(),
  })
}
